package dev.slipstream.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Exact top-k by radix selection on the bits of the magnitudes, whose order is that of the magnitudes themselves: three
 * histograms, each of the digit below the one that the last has settled, find the k-th largest key; then the keys above it,
 * and the first that equal it, are moved out. The sum of gradient and residual is made in the residual's memory.
 */
final class CpuTopK implements TopKKernel {
    /** The digits of a 31-bit key, from the top: where each begins. The first also counts as the first pass adds. */
    private static final int[] SHIFTS = {20, 10, 0};

    private static final int[] BUCKETS = {1 << 11, 1 << 10, 1 << 10};

    private static final int BLOCK = 2048;

    private final Loops loops;
    private final Workers workers;
    private final MemorySegment gradient;
    private final MemorySegment sum;
    private final long elements;
    private final int maxK;
    private final MemorySegment indices;
    private final MemorySegment values;
    private final int[][][] histograms;
    private final long[] counts;
    private final long[] firstOutput;
    private final long[] equalToTake;
    private int k;

    CpuTopK(Loops loops, Workers workers, MemorySegment gradient, MemorySegment residual, long elements, int maxK) {
        this.loops = loops;
        this.workers = workers;
        this.gradient = gradient;
        this.sum = residual;
        this.elements = elements;
        this.maxK = maxK;
        Arena arena = Arena.ofAuto();
        indices = arena.allocate(4L * maxK, 64);
        values = arena.allocate(4L * maxK, 64);
        int parts = workers.parts(elements);
        histograms = new int[SHIFTS.length][parts][];
        for (int digit = 0; digit < SHIFTS.length; digit++) {
            for (int part = 0; part < parts; part++) {
                histograms[digit][part] = new int[BUCKETS[digit]];
            }
        }
        counts = new long[parts];
        firstOutput = new long[parts];
        equalToTake = new long[parts];
    }

    @Override
    public void run(int wanted) {
        Checks.k(wanted, maxK);
        k = wanted;
        workers.run(elements, (part, from, to) -> addAndCount(from, to, histograms[0][part]));
        if (wanted == 0) {
            return;
        }
        int threshold = threshold(wanted);
        place(wanted, threshold);
        workers.run(
                elements,
                (part, from, to) ->
                        loops.take(sum, from, to, threshold, equalToTake[part], indices, values, firstOutput[part]));
    }

    private void addAndCount(long from, long to, int[] histogram) {
        Arrays.fill(histogram, 0);
        for (long at = from; at < to; at += BLOCK) {
            long end = Math.min(at + BLOCK, to);
            loops.add(gradient, at * 4, sum, at * 4, sum, at * 4, end - at);
            Loops.histogramFrom(sum, at, end, 0, 31, SHIFTS[0], histogram);
        }
    }

    /** The key of the k-th largest magnitude. */
    private int threshold(int wanted) {
        int prefix = 0;
        long left = wanted;
        for (int digit = 0; digit < SHIFTS.length; digit++) {
            int shift = SHIFTS[digit];
            if (digit > 0) {
                int above = prefix;
                int aboveShift = SHIFTS[digit - 1];
                int[][] digitHistograms = histograms[digit];
                workers.run(elements, (part, from, to) -> {
                    Arrays.fill(digitHistograms[part], 0);
                    loops.histogram(sum, from, to, above, aboveShift, shift, digitHistograms[part]);
                });
            }
            int bucket = BUCKETS[digit] - 1;
            for (long here = count(digit, bucket); here < left; here = count(digit, bucket)) {
                left -= here;
                bucket--;
            }
            prefix = digit == 0 ? bucket : (prefix << (SHIFTS[digit - 1] - shift)) | bucket;
        }
        return prefix;
    }

    private long count(int digit, int bucket) {
        long count = 0;
        for (int[] histogram : histograms[digit]) {
            count += histogram[bucket];
        }
        return count;
    }

    /** Where each part's share of the output begins, and how many keys equal to the threshold it may take. */
    private void place(int wanted, int threshold) {
        workers.run(elements, (part, from, to) -> counts[part] = loops.countAround(sum, from, to, threshold));
        long equal = wanted;
        for (long count : counts) {
            equal -= count >>> 32;
        }
        long next = 0;
        for (int part = 0; part < counts.length; part++) {
            firstOutput[part] = next;
            equalToTake[part] = Math.min(equal, counts[part] & 0xffff_ffffL);
            equal -= equalToTake[part];
            next += (counts[part] >>> 32) + equalToTake[part];
        }
    }

    @Override
    public MemorySegment indices() {
        return indices.asSlice(0, 4L * k);
    }

    @Override
    public MemorySegment values() {
        return values.asSlice(0, 4L * k);
    }

    @Override
    public void close() {}
}
