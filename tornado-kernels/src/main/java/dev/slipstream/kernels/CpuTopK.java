package dev.slipstream.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Exact top-k on the bits of the magnitudes, whose order is that of the magnitudes themselves. The sum of gradient and
 * residual is made in the residual's memory.
 *
 * <p>The usual way is one pass over the elements. A sample, read before, gives a threshold that a few more than k elements
 * reach; the pass adds and notes those, and the k-th largest key is searched among them only. The sample decides how much
 * is noted, never what is selected: when fewer than k elements reach the threshold, or too many to note (ties), the
 * k-th largest key is found by a radix selection over all elements: three histograms, each of the digit below the one that
 * the last has settled.
 */
final class CpuTopK implements TopKKernel {
    /** The digits of a 31-bit key, from the top: where each begins. */
    private static final int[] SHIFTS = {20, 10, 0};

    private static final int[] BUCKETS = {1 << 11, 1 << 10, 1 << 10};

    /** Of a sample; larger ones cost more than the elements that they save noting. */
    private static final int SAMPLE = 1 << 13;

    private final Loops loops;
    private final Workers workers;
    private final MemorySegment gradient;
    private final MemorySegment sum;
    private final long elements;
    private final int maxK;
    private final MemorySegment indices;
    private final MemorySegment values;
    private final int[] sample;
    private final long[][] found;
    private final long[] foundCounts;
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
        boolean sampled = paysToSample(1);
        sample = new int[sampled ? SAMPLE : 0];
        // Room for all of them in one part, and half as many again.
        found = new long[parts][sampled ? (int) Math.min(elements, 2L * maxK + 1024) : 0];
        foundCounts = new long[parts];
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

    private boolean paysToSample(int wanted) {
        return elements >= 8L * SAMPLE && wanted <= elements / 8;
    }

    @Override
    public void run(int wanted) {
        Checks.k(wanted, maxK);
        k = wanted;
        if (wanted > 0 && paysToSample(wanted)) {
            int floor = sampleThreshold(wanted);
            workers.run(
                    elements,
                    (part, from, to) ->
                            foundCounts[part] = loops.addAndFind(gradient, sum, from, to, floor, found[part]));
            if (allNoted(wanted)) {
                selectAmongFound(wanted);
                return;
            }
        } else {
            workers.run(
                    elements,
                    (part, from, to) -> loops.add(gradient, from * 4, sum, from * 4, sum, from * 4, to - from));
        }
        if (wanted > 0) {
            selectAmongAll(wanted);
        }
    }

    /** A key that about a third more than k elements reach; of random positions, since gradients have periods. */
    private int sampleThreshold(int wanted) {
        long state = elements;
        double stride = (double) elements / SAMPLE;
        for (int i = 0; i < SAMPLE; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            long at = (long) ((i + (state >>> 40) * 0x1p-24) * stride);
            float value = gradient.get(Loops.F32, at * 4) + sum.get(Loops.F32, at * 4);
            sample[i] = Loops.key(Float.floatToRawIntBits(value));
        }
        Arrays.sort(sample);
        double expected = (double) wanted / elements * SAMPLE;
        // Four standard deviations: one run in thirty thousand finds too few and takes the longer way.
        long rank = (long) Math.ceil(expected + 4 * Math.sqrt(expected)) + 4;
        return sample[(int) Math.max(0, SAMPLE - rank)];
    }

    private boolean allNoted(int wanted) {
        long total = 0;
        for (int part = 0; part < found.length; part++) {
            if (foundCounts[part] > found[part].length) {
                return false;
            }
            total += foundCounts[part];
        }
        return total >= wanted;
    }

    // --- Among the elements noted -----------------------------------------------------------------------------------

    private void selectAmongFound(int wanted) {
        int prefix = 0;
        int prefixShift = 31;
        long left = wanted;
        for (int digit = 0; digit < SHIFTS.length; digit++) {
            int[] histogram = histograms[digit][0];
            Arrays.fill(histogram, 0);
            for (int part = 0; part < found.length; part++) {
                countFound(part, prefix, prefixShift, SHIFTS[digit], histogram);
            }
            int bucket = histogram.length - 1;
            for (; histogram[bucket] < left; bucket--) {
                left -= histogram[bucket];
            }
            prefix = (prefix << (prefixShift - SHIFTS[digit])) | bucket;
            prefixShift = SHIFTS[digit];
        }
        int threshold = prefix;
        long equalLeft = left;
        long next = 0;
        for (int part = 0; part < found.length; part++) {
            for (int i = 0; i < foundCounts[part]; i++) {
                int bits = (int) (found[part][i] >>> 32);
                int key = Loops.key(bits);
                if (key > threshold || (key == threshold && equalLeft-- > 0)) {
                    next = Loops.move(sum, found[part][i] & Integer.MAX_VALUE, bits, indices, values, next);
                }
            }
        }
    }

    private void countFound(int part, int prefix, int prefixShift, int shift, int[] histogram) {
        int mask = histogram.length - 1;
        for (int i = 0; i < foundCounts[part]; i++) {
            int key = Loops.key((int) (found[part][i] >>> 32));
            if (key >>> prefixShift == prefix) {
                histogram[(key >>> shift) & mask]++;
            }
        }
    }

    // --- Among all elements ------------------------------------------------------------------------------------------

    private void selectAmongAll(int wanted) {
        int threshold = threshold(wanted);
        place(wanted, threshold);
        workers.run(
                elements,
                (part, from, to) ->
                        loops.take(sum, from, to, threshold, equalToTake[part], indices, values, firstOutput[part]));
    }

    /** The key of the k-th largest magnitude. */
    private int threshold(int wanted) {
        int prefix = 0;
        int prefixShift = 31;
        long left = wanted;
        for (int digit = 0; digit < SHIFTS.length; digit++) {
            int above = prefix;
            int aboveShift = prefixShift;
            int shift = SHIFTS[digit];
            int[][] histogram = histograms[digit];
            workers.run(elements, (part, from, to) -> {
                Arrays.fill(histogram[part], 0);
                loops.histogram(sum, from, to, above, aboveShift, shift, histogram[part]);
            });
            int bucket = BUCKETS[digit] - 1;
            for (long here = count(histogram, bucket); here < left; here = count(histogram, bucket)) {
                left -= here;
                bucket--;
            }
            prefix = (prefix << (prefixShift - shift)) | bucket;
            prefixShift = shift;
        }
        return prefix;
    }

    private static long count(int[][] histograms, int bucket) {
        long count = 0;
        for (int[] histogram : histograms) {
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
    public void storeResidual() {}

    @Override
    public void loadResidual() {}

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
