package dev.slipstream.scheduler;

/**
 * Measures from real intervals: compute is the time between one {@code finishStep()} and the next call of it,
 * communication the union of the buckets' intervals from launch to completion; what is hidden is their intersection.
 *
 * <p>Within a step, the communication thread writes the intervals and the training thread reads them when the step is
 * done. Reading the sums is safe from any thread.
 */
final class StepMeter {
    private long[] launched = new long[0];
    private long[] completed = new long[0];
    private long computeStart = System.nanoTime();
    private SynchronizerStats sums = SynchronizerStats.ZERO;

    /** Makes room for a plan of so many buckets. */
    void resize(int buckets) {
        launched = new long[buckets];
        completed = new long[buckets];
    }

    void launched(int position) {
        launched[position] = System.nanoTime();
    }

    void completed(int position) {
        completed[position] = System.nanoTime();
    }

    /**
     * Adds a step.
     *
     * @param computeEnd when {@code finishStep()} was called
     */
    synchronized void finishStep(BucketSet buckets, OverlapConfig config, long computeEnd) {
        long sent = 0;
        long gradientBytes = 0;
        long wireBytes = 0;
        long filled = 0;
        long busy = 0;
        long hidden = 0;
        // Buckets are launched and completed in the order of their positions, so one pass forms the union.
        long covered = computeStart;
        for (int position = 0; position < buckets.size(); position++) {
            GradientBucket bucket = buckets.bucket(position);
            if (bucket.isEmpty()) {
                continue;
            }
            sent++;
            gradientBytes += bucket.gradientBytes();
            wireBytes += bucket.exchange().bytesOnWire();
            filled += bucket.bufferBytes();
            long start = Math.max(covered, launched[position]);
            long end = Math.max(start, completed[position]);
            busy += end - start;
            hidden += Math.max(0, Math.min(end, computeEnd) - start);
            covered = end;
        }
        long now = System.nanoTime();
        sums = new SynchronizerStats(
                sums.steps() + 1,
                sums.bucketsSent() + sent,
                sums.gradientBytes() + gradientBytes,
                sums.bytesSent() + wireBytes,
                sums.computeNanos() + computeEnd - computeStart,
                sums.communicationNanos() + busy,
                sums.hiddenNanos() + hidden,
                sums.capacityBytes() + sent * config.bucketBytes(),
                sums.filledBytes() + filled);
        computeStart = now;
    }

    synchronized SynchronizerStats stats() {
        return sums;
    }
}
