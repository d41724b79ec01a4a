package dev.slipstream.collectives.strategy;

import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reducer;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An algorithm that all-reduces over a {@link Wire}. Partial results travel, so it is for those types and reductions where
 * they may ({@link #partialsMayTravel}); {@link ShardExchange} is for the others. Every rank gets the same bits, but each
 * algorithm adds in an order of its own.
 *
 * <p>Used by one thread at a time; holds scratch memory that does not grow with the buffers.
 */
public abstract class AllReduce {
    final Wire wire;
    final int rank;
    final int size;
    private final Reducer reducer = new Reducer();
    private final MemorySegment[] pair = new MemorySegment[2];
    private final MemorySegment[] target = new MemorySegment[1];

    AllReduce(Wire wire) {
        this.wire = wire;
        rank = wire.rank();
        size = wire.size();
    }

    /** Around a ring, in segments: every link carries 2(n-1)/n times the buffer, whatever n. */
    public static AllReduce ring(Wire wire) {
        return new Ring(wire);
    }

    /** Fewest messages one after another: 2 log n, or log n for short buffers. */
    public static AllReduce tree(Wire wire) {
        return new Tree(wire);
    }

    /** Along a chain and back, {@code depth} chunks in flight; sums in rank order. */
    public static AllReduce pipeline(Wire wire, int depth) {
        return new Pipeline(wire, depth);
    }

    /** Whether rounding or overflow of partial results can't be seen in the result. */
    public static boolean partialsMayTravel(ElementType type, Reduction reduction) {
        return switch (reduction) {
            case SUM, AVERAGE -> type == ElementType.FLOAT32 || type == ElementType.FLOAT64;
            case MIN, MAX, BAND, BOR -> true;
        };
    }

    /** All-reduces; {@code receive} may be {@code send}. */
    public final void run(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        if (size == 1) {
            if (send.address() != receive.address()) {
                receive.copyFrom(send);
            }
            return;
        }
        Reduction partial = reduction == Reduction.AVERAGE ? Reduction.SUM : reduction;
        exchange(send, receive, new Combination(type, partial, reduction == Reduction.AVERAGE));
    }

    abstract void exchange(MemorySegment send, MemorySegment receive, Combination combination);

    /** How partial results are combined, and whether the sums are averaged in the end. */
    record Combination(ElementType type, Reduction reduction, boolean averages) {}

    /** {@code result = first op second}; the result may be one of the two. */
    final void combine(MemorySegment first, MemorySegment second, MemorySegment result, Combination how) {
        pair[0] = first;
        pair[1] = second;
        target[0] = result;
        reducer.reduce(pair, 0, target, 0, result.byteSize(), how.type, how.reduction);
    }

    /** Turns sums into the result; each element once, by the rank that completed its sum. */
    final void complete(MemorySegment sums, Combination how) {
        if (how.averages) {
            reducer.average(sums, 0, sums.byteSize(), how.type, size);
        }
    }

    static MemorySegment scratch(long bytes) {
        return Arena.ofAuto().allocate(bytes, 64);
    }
}
