package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.Reducer;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.collectives.shared.SharedGroup;
import dev.slipstream.collectives.strategy.AllReduce;
import dev.slipstream.collectives.transport.Call;
import dev.slipstream.collectives.transport.Call.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Through shared memory inside a group of ranks of one host, around a ring between the groups' first ranks: a link between
 * hosts then carries each byte once, whatever the number of ranks on a host.
 */
final class Hierarchical {
    private final SharedGroup group;
    private final @Nullable AllReduce between;
    private final int ranks;
    private final Reducer reducer = new Reducer();

    /** Of the group's own operations. */
    private long operation;

    /**
     * @param between all-reduces over the groups' first ranks; null on a rank that isn't one
     * @param ranks of all groups
     */
    Hierarchical(SharedGroup group, @Nullable AllReduce between, int ranks) {
        this.group = group;
        this.between = between;
        this.ranks = ranks;
    }

    void allReduce(Call call) {
        boolean averages = call.reduction() == Reduction.AVERAGE;
        Reduction partial = averages ? Reduction.SUM : call.reduction();
        group.execute(
                Call.of(Kind.ALL_REDUCE, call.send(), call.receive(), call.type(), partial, call.elements(), 0),
                ++operation);
        if (between != null) {
            between.run(call.receive(), call.receive(), call.type(), partial);
            if (averages) {
                reducer.average(call.receive(), 0, call.receive().byteSize(), call.type(), ranks);
            }
        }
        group.execute(
                Call.of(Kind.BROADCAST, call.receive(), call.receive(), call.type(), Reduction.SUM, call.elements(), 0),
                ++operation);
    }
}
