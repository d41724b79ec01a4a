package dev.slipstream.collectives;

import dev.slipstream.collectives.strategy.StrategyFigure;
import java.util.List;

/**
 * What one rank's communicator has done since it was opened.
 *
 * @param operations collectives that went well; sends and receives don't count
 * @param bytes of the larger buffer of each, summed
 * @param busyNanos time inside them, waits for late ranks included
 * @param busBytes bytes that a bandwidth-optimal algorithm puts on the wire for them, for each rank: 2(n-1)/n times the
 *     buffer for an all-reduce, (n-1)/n for the others
 * @param strategy how the last all-reduce moved the bytes; how the first one will, before there was one
 * @param pendingOperations asynchronous operations that have not ended
 * @param figures what {@link Strategy#AUTO} has measured; empty with any other strategy
 */
public record CommunicatorStats(
        long operations,
        long bytes,
        long busyNanos,
        double busBytes,
        Strategy strategy,
        int pendingOperations,
        List<StrategyFigure> figures) {
    /** Bus bandwidth in GB/s (10^9 bytes), as nccl-tests define it, over all operations; 0 before the first. */
    public double busBandwidth() {
        return busyNanos == 0 ? 0 : busBytes / busyNanos;
    }
}
