package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.collectives.Strategy;
import dev.slipstream.collectives.strategy.AllReduce;
import dev.slipstream.collectives.strategy.ShardExchange;
import dev.slipstream.collectives.transport.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The all-reduces over MPI by their strategy, for ranks that have met and compared their calls. A strategy that can't carry a
 * type's partial results (16-bit and integer sums) leaves it to the exchange of shards.
 */
final class AllReducers {
    /** Chunks in flight each way. */
    private static final int PIPELINE_DEPTH = 4;

    private final NativeCollectives natives;
    private final ShardExchange shards;
    private final AllReduce ring;
    private final AllReduce tree;
    private final AllReduce pipeline;
    private final @Nullable Hierarchical hierarchical;

    AllReducers(MpiWire wire, NativeCollectives natives, ShardExchange shards, @Nullable Hierarchical hierarchical) {
        this.natives = natives;
        this.shards = shards;
        this.hierarchical = hierarchical;
        ring = AllReduce.ring(wire);
        tree = AllReduce.tree(wire);
        pipeline = AllReduce.pipeline(wire, PIPELINE_DEPTH);
    }

    /**
     * What {@link Strategy#AUTO} may choose from: the same on all ranks. Types whose partial sums may not travel go as
     * shards by every strategy but {@code shared}, so one stands for all.
     *
     * @param shared whether all ranks share memory; a hierarchy then has one group and is the same with a detour
     */
    List<Strategy> candidates(boolean shared, boolean partialsMayTravel) {
        List<Strategy> candidates = new ArrayList<>();
        if (shared) {
            candidates.add(Strategy.SHARED);
        }
        candidates.add(Strategy.NATIVE);
        if (partialsMayTravel) {
            candidates.addAll(List.of(Strategy.RING, Strategy.TREE, Strategy.PIPELINE));
            if (!shared && hierarchical != null) {
                candidates.add(Strategy.HIERARCHICAL);
            }
        }
        return candidates;
    }

    void run(Strategy strategy, Call call) {
        ElementType type = call.type();
        Reduction reduction = call.reduction();
        boolean possible = strategy == Strategy.NATIVE
                ? NativeCollectives.supports(type, reduction)
                : AllReduce.partialsMayTravel(type, reduction);
        if (!possible) {
            shards.allReduce(call.send(), call.receive(), type, reduction);
            return;
        }
        switch (strategy) {
            case NATIVE -> natives.allReduce(call.send(), call.receive(), type, reduction);
            case RING -> ring.run(call.send(), call.receive(), type, reduction);
            case TREE -> tree.run(call.send(), call.receive(), type, reduction);
            case PIPELINE -> pipeline.run(call.send(), call.receive(), type, reduction);
            case HIERARCHICAL -> {
                Hierarchical groups = hierarchical;
                if (groups == null) {
                    throw new IllegalStateException("no groups");
                }
                groups.allReduce(call);
            }
            case AUTO, SHARED -> throw new IllegalArgumentException(strategy + " is not one of them");
        }
    }
}
