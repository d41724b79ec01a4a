package dev.slipstream.scheduler;

/**
 * What one rank's synchronizer has done since it was created, or, see {@link #since}, since an earlier reading. Times are
 * wall-clock nanoseconds of this rank.
 *
 * @param steps finished steps
 * @param bucketsSent collectives that carried a bucket
 * @param gradientBytes bytes of gradients averaged, in their own types
 * @param bytesSent bytes that this rank puts on the wire when the algorithm is bandwidth-optimal: 2(n-1)/n times the
 *     buffer for an all-reduce, n-1 times the contribution for an all-gather
 * @param computeNanos time outside {@link GradientSynchronizer#finishStep()}: the forward and backward passes
 * @param communicationNanos time during which at least one bucket was under way, from its launch to its completion
 * @param hiddenNanos the part of {@code communicationNanos} that lies inside compute time
 * @param capacityBytes {@link OverlapConfig#bucketBytes()} times the buckets sent
 * @param filledBytes bytes in the buffers of the buckets sent
 */
public record SynchronizerStats(
        long steps,
        long bucketsSent,
        long gradientBytes,
        long bytesSent,
        long computeNanos,
        long communicationNanos,
        long hiddenNanos,
        long capacityBytes,
        long filledBytes) {

    static final SynchronizerStats ZERO = new SynchronizerStats(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The share of communication time that lies inside compute intervals, 0 to 1; 0 when nothing was sent. */
    public double overlapRatio() {
        return communicationNanos == 0 ? 0 : (double) hiddenNanos / communicationNanos;
    }

    /** The part of communication time that compute did not hide. */
    public long exposedNanos() {
        return communicationNanos - hiddenNanos;
    }

    /** Bus bandwidth in GB/s (10^9 bytes), as nccl-tests define it: what a rank sends over the time it takes. */
    public double busBandwidth() {
        return communicationNanos == 0 ? 0 : (double) bytesSent / communicationNanos;
    }

    /** How full the buckets were; above 1 where single parameters are larger than a bucket is meant to be. */
    public double fillRatio() {
        return capacityBytes == 0 ? 0 : (double) filledBytes / capacityBytes;
    }

    /** The difference to an earlier reading of the same synchronizer. */
    public SynchronizerStats since(SynchronizerStats earlier) {
        return new SynchronizerStats(
                steps - earlier.steps,
                bucketsSent - earlier.bucketsSent,
                gradientBytes - earlier.gradientBytes,
                bytesSent - earlier.bytesSent,
                computeNanos - earlier.computeNanos,
                communicationNanos - earlier.communicationNanos,
                hiddenNanos - earlier.hiddenNanos,
                capacityBytes - earlier.capacityBytes,
                filledBytes - earlier.filledBytes);
    }
}
