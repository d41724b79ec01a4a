package dev.slipstream.bench.train;

import dev.slipstream.scheduler.SynchronizerStats;

/**
 * What a rank has at the end.
 *
 * @param weights of the network, by parameter
 * @param testAccuracy share of the test images recognised
 * @param weightsIdentical whether all ranks hold the same bits
 * @param digest the first 16 hexadecimal digits of the weights' SHA-256
 * @param steps done
 * @param seconds spent in them
 * @param stats of this rank's synchronizer
 * @param engine where kernels ran
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a value
public record TrainResult(
        float[][] weights,
        double testAccuracy,
        boolean weightsIdentical,
        String digest,
        long steps,
        double seconds,
        SynchronizerStats stats,
        String engine) {}
