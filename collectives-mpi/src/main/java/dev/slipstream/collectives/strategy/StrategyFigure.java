package dev.slipstream.collectives.strategy;

import dev.slipstream.collectives.Strategy;

/**
 * What {@link Strategy#AUTO} has measured of one strategy at one size class, as all ranks agree.
 *
 * @param leastBytes the class's smallest buffer; the next class begins at twice that
 * @param strategy what was measured
 * @param algorithmGBps 10^9 bytes of the buffer a second, as in nccl-tests
 * @param chosen whether buffers of this class go by this strategy now
 */
public record StrategyFigure(long leastBytes, Strategy strategy, double algorithmGBps, boolean chosen) {}
