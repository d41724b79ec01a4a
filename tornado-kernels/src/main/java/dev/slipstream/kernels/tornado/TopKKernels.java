package dev.slipstream.kernels.tornado;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Exact top-k by radix selection on the bits of the magnitudes, whose order is that of the magnitudes themselves.
 *
 * <p>A key is 31 bits, four digits of eight (the first has seven). For each digit, from the top, the work-items count how
 * often each value of it occurs among the keys that begin with the digits settled so far; walking down from the largest
 * value until k keys are reached settles the digit, and says how many keys are left to take with that value. After the last
 * digit the prefix is the threshold: the key of the k-th largest magnitude.
 *
 * <p>Each work-item owns one run of consecutive elements, a chunk, and a histogram of it in global memory. What its
 * histograms count above the settled digits is how many elements of the chunk lie above the threshold, so no pass of its
 * own is needed before the outputs' places are known. (Atomics on local memory would be the usual way, but TornadoVM's
 * ignore the index.)
 *
 * <p>{@code sum} holds the residual, and after {@link #add} gradient plus residual; {@code bits} the same as bits, since
 * TornadoVM 5.2 turns floats into bits only where they are stored. {@code state} holds, for each number of settled digits,
 * the prefix and the number of keys left to take.
 */
final class TopKKernels {
    static final int DIGITS = 4;

    /** Values of a digit. */
    static final int BINS = 256;

    /** Length of the state. */
    static final int STATE = 2 * (DIGITS + 1);

    /** The key of every NaN: they tie, and are larger than infinity. */
    private static final int NAN_KEY = 0x7f80_0001;

    /** The largest value of the first digit. */
    private static final int FIRST_TOP = 127;

    private TopKKernels() {}

    /** Changes nothing: a graph needs a task, also one that is there for its transfers. */
    static void touch(KernelContext context, FloatArray sum) {
        if (context.globalIdx == 0) {
            sum.set(0, sum.get(0));
        }
    }

    /** {@code sum[i] += gradient[i]}, also as bits; clears the totals of all digits. */
    static void add(
            KernelContext context,
            FloatArray gradient,
            FloatArray sum,
            IntArray bits,
            IntArray totals,
            IntArray counts) {
        int i = context.globalIdx;
        if (i < DIGITS * BINS) {
            totals.set(i, 0);
        }
        if (i < counts.get(Arguments.ELEMENTS)) {
            float added = gradient.get(i) + sum.get(i);
            sum.set(i, added);
            bits.set(i, Float.floatToRawIntBits(added));
        }
    }

    /**
     * Settles a digit, and counts the next. Every work-item settles the digit for itself, from the same totals.
     *
     * @param settled how many digits are settled before: -1 for none and nothing to settle yet
     * @param totals for each digit, how often each of its values occurs
     * @param histograms of each work-item, of the digit counted last
     * @param above of each work-item's elements, how many are known to lie above the threshold
     * @param equal of each work-item's elements, how many equal the threshold; written when all digits are settled
     */
    static void digit(
            KernelContext context,
            IntArray bits,
            IntArray totals,
            IntArray state,
            IntArray histograms,
            IntArray above,
            IntArray equal,
            IntArray counts,
            int settled,
            int items) {
        int item = context.globalIdx;
        if (item < items) {
            int histogram = item * BINS;
            int prefix = 0;
            int left = counts.get(Arguments.COUNT);
            if (settled > 0) {
                prefix = state.get(2 * settled);
                left = state.get(2 * settled + 1);
            }
            int value = 0;
            int passed = 0;
            if (settled >= 0) {
                value = settled == 0 ? FIRST_TOP : BINS - 1;
                int total = totals.get(settled * BINS + value);
                while (value > 0 && total < left) {
                    left -= total;
                    passed += histograms.get(histogram + value);
                    value--;
                    total = totals.get(settled * BINS + value);
                }
                prefix = (prefix << 8) | value;
                if (item == 0) {
                    state.set(2 * settled + 2, prefix);
                    state.set(2 * settled + 3, left);
                }
                passed += settled > 0 ? above.get(item) : 0;
            }
            above.set(item, passed);
            if (settled == DIGITS - 1) {
                equal.set(item, histograms.get(histogram + value));
            } else {
                count(context, bits, totals, histograms, counts.get(Arguments.ELEMENTS), prefix, settled + 1, items);
            }
        }
    }

    /** Counts a digit of the keys in a work-item's chunk that begin with the prefix. */
    private static void count(
            KernelContext context,
            IntArray bits,
            IntArray totals,
            IntArray histograms,
            int elements,
            int prefix,
            int digit,
            int items) {
        int item = context.globalIdx;
        int histogram = item * BINS;
        for (int value = 0; value < BINS; value++) {
            histograms.set(histogram + value, 0);
        }
        int shift = 24 - 8 * digit;
        int prefixShift = digit == 0 ? 31 : shift + 8;
        int chunk = chunk(elements, items);
        int from = from(elements, chunk, item);
        int to = from(elements, chunk, item + 1);
        for (int i = from; i < to; i++) {
            int key = key(bits.get(i));
            if ((key >> prefixShift) == prefix) {
                int at = histogram + ((key >> shift) & (BINS - 1));
                histograms.set(at, histograms.get(at) + 1);
            }
        }
        for (int value = 0; value < BINS; value++) {
            int counted = histograms.get(histogram + value);
            if (counted > 0) {
                context.atomicAdd(totals, digit * BINS + value, counted);
            }
        }
    }

    /**
     * Turns the counts into places, in one work-group: {@code above} becomes where a work-item's first output goes, {@code
     * equal} how many keys equal to the threshold it takes, so that the lowest indices get them.
     */
    static void place(KernelContext context, IntArray above, IntArray equal, IntArray state, int items) {
        int[] aboveSums = context.allocateIntLocalArray(Grids.GROUP);
        int[] equalSums = context.allocateIntLocalArray(Grids.GROUP);
        int lane = context.localIdx;
        int each = (items + Grids.GROUP - 1) / Grids.GROUP;
        int from = Math.min(lane * each, items);
        int to = Math.min(from + each, items);
        int aboveSum = 0;
        int equalSum = 0;
        for (int item = from; item < to; item++) {
            aboveSum += above.get(item);
            equalSum += equal.get(item);
        }
        aboveSums[lane] = aboveSum;
        equalSums[lane] = equalSum;
        context.localBarrier();
        int aboveBefore = 0;
        int equalBefore = 0;
        for (int other = 0; other < lane; other++) {
            aboveBefore += aboveSums[other];
            equalBefore += equalSums[other];
        }
        int left = state.get(2 * DIGITS + 1);
        for (int item = from; item < to; item++) {
            int aboveHere = above.get(item);
            int equalHere = equal.get(item);
            above.set(item, aboveBefore + Math.min(equalBefore, left));
            equal.set(item, Math.min(Math.max(left - equalBefore, 0), equalHere));
            aboveBefore += aboveHere;
            equalBefore += equalHere;
        }
    }

    /** Writes the elements selected, in ascending order, and takes them out of the sum. */
    static void take(
            KernelContext context,
            FloatArray sum,
            IntArray bits,
            IntArray places,
            IntArray equals,
            IntArray state,
            IntArray indices,
            FloatArray values,
            IntArray counts,
            int items) {
        int item = context.globalIdx;
        if (item < items) {
            int elements = counts.get(Arguments.ELEMENTS);
            int threshold = state.get(2 * DIGITS);
            int next = places.get(item);
            int equal = equals.get(item);
            int chunk = chunk(elements, items);
            int from = from(elements, chunk, item);
            int to = from(elements, chunk, item + 1);
            for (int i = from; i < to; i++) {
                int key = key(bits.get(i));
                if (key > threshold || (key == threshold && equal > 0)) {
                    if (key == threshold) {
                        equal--;
                    }
                    indices.set(next, i);
                    values.set(next, sum.get(i));
                    sum.set(i, 0f);
                    next++;
                }
            }
        }
    }

    private static int key(int bits) {
        return Math.min(bits & Integer.MAX_VALUE, NAN_KEY);
    }

    /** Elements in a chunk, the last ones excepted. */
    private static int chunk(int elements, int items) {
        return (elements - 1) / items + 1;
    }

    /** The first element of a chunk. In long: the chunks past the end may begin past the largest int. */
    private static int from(int elements, int chunk, int item) {
        return (int) Math.min((long) chunk * item, (long) elements);
    }
}
