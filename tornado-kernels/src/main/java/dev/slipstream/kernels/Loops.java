package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The innermost loops of the cpu engine. Offsets into segments are in bytes, counts in elements. Segments may be on the
 * heap unless a parameter says native.
 *
 * <p>This class holds plain loops, which HotSpot vectorises where it can; {@link VectorLoops} holds the same with the
 * Vector API. Both give the same bits.
 */
sealed class Loops permits VectorLoops {
    static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED;
    static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED;
    static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT_UNALIGNED;

    /** The loops for this JVM: with the Vector API where its module is there. */
    static Loops best() {
        return Best.LOOPS;
    }

    private static final class Best {
        private static final Logger LOG = LoggerFactory.getLogger(Loops.class);
        static final Loops LOOPS = choose();

        private static Loops choose() {
            if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
                return new VectorLoops();
            }
            LOG.warn("The module jdk.incubator.vector is missing, so kernels use plain loops: right, but slower. "
                    + "Start Java with --add-modules jdk.incubator.vector.");
            return new Loops();
        }
    }

    String description() {
        return "plain loops";
    }

    /** {@code out[i] = in[i] * factor}; {@code out} may be {@code in} at the same offset. */
    void scale(MemorySegment in, long atIn, MemorySegment out, long at, long count, float factor) {
        scaleFrom(0, in, atIn, out, at, count, factor);
    }

    static void scaleFrom(
            long start, MemorySegment in, long atIn, MemorySegment out, long at, long count, float factor) {
        for (long i = start; i < count; i++) {
            out.set(F32, at + i * 4, in.get(F32, atIn + i * 4) * factor);
        }
    }

    /** {@code out[i] = a[i] + b[i]}; {@code out} may be one of them at the same offset. */
    void add(MemorySegment a, long atA, MemorySegment b, long atB, MemorySegment out, long at, long count) {
        addFrom(0, a, atA, b, atB, out, at, count);
    }

    static void addFrom(
            long start, MemorySegment a, long atA, MemorySegment b, long atB, MemorySegment out, long at, long count) {
        for (long i = start; i < count; i++) {
            out.set(F32, at + i * 4, a.get(F32, atA + i * 4) + b.get(F32, atB + i * 4));
        }
    }

    /** Float64: {@code out[i] = in[i] * factor}. */
    void scale64(MemorySegment in, long atIn, MemorySegment out, long at, long count, double factor) {
        for (long i = 0; i < count; i++) {
            out.set(F64, at + i * 8, in.get(F64, atIn + i * 8) * factor);
        }
    }

    /** Float32 times {@code factor}, rounded to 16 bits. */
    void narrow(FloatFormat format, MemorySegment in, long atIn, MemorySegment out, long at, long count, float factor) {
        narrowFrom(0, format, in, atIn, out, at, count, factor);
    }

    static void narrowFrom(
            long start,
            FloatFormat format,
            MemorySegment in,
            long atIn,
            MemorySegment out,
            long at,
            long count,
            float factor) {
        if (format == FloatFormat.FLOAT16) {
            for (long i = start; i < count; i++) {
                out.set(I16, at + i * 2, SixteenBits.toFloat16(in.get(F32, atIn + i * 4) * factor));
            }
        } else {
            for (long i = start; i < count; i++) {
                out.set(I16, at + i * 2, SixteenBits.toBfloat16(in.get(F32, atIn + i * 4) * factor));
            }
        }
    }

    /** 16 bits to float32. */
    void widen(FloatFormat format, MemorySegment in, long atIn, MemorySegment out, long at, long count) {
        widenFrom(0, format, in, atIn, out, at, count);
    }

    static void widenFrom(
            long start, FloatFormat format, MemorySegment in, long atIn, MemorySegment out, long at, long count) {
        // Written as ints: a float in between could lose a NaN's bits.
        if (format == FloatFormat.FLOAT16) {
            for (long i = start; i < count; i++) {
                out.set(I32, at + i * 4, SixteenBits.float16ToBits(in.get(I16, atIn + i * 2)));
            }
        } else {
            for (long i = start; i < count; i++) {
                out.set(I32, at + i * 4, in.get(I16, atIn + i * 2) << 16);
            }
        }
    }

    /** The key by which magnitudes are ordered: the bits without the sign, all NaN as one key above infinity. */
    static int key(int bits) {
        return Math.min(bits & Integer.MAX_VALUE, NAN_KEY);
    }

    static final int NAN_KEY = 0x7f80_0001;

    /**
     * Counts {@code histogram[(key >>> shift) & mask]} over the elements whose {@code key >>> prefixShift} is {@code
     * prefix}.
     */
    void histogram(MemorySegment values, long from, long to, int prefix, int prefixShift, int shift, int[] histogram) {
        histogramFrom(values, from, to, prefix, prefixShift, shift, histogram);
    }

    static void histogramFrom(
            MemorySegment values, long from, long to, int prefix, int prefixShift, int shift, int[] histogram) {
        int mask = histogram.length - 1;
        for (long i = from; i < to; i++) {
            int key = key(values.get(I32, i * 4));
            if (key >>> prefixShift == prefix) {
                histogram[(key >>> shift) & mask]++;
            }
        }
    }

    /**
     * {@code sum[i] += gradient[i]}, and notes the elements whose key is at least {@code threshold}, in order.
     *
     * @param found receives each one's bits, and its index in the lower 32 bits
     * @return how many there are, or more than {@code found} has room for: then some are not noted, but all are added
     */
    long addAndFind(MemorySegment gradient, MemorySegment sum, long from, long to, int threshold, long[] found) {
        return addAndFindFrom(gradient, sum, from, to, threshold, found, 0);
    }

    static long addAndFindFrom(
            MemorySegment gradient, MemorySegment sum, long from, long to, int threshold, long[] found, long count) {
        for (long i = from; i < to; i++) {
            float value = gradient.get(F32, i * 4) + sum.get(F32, i * 4);
            sum.set(F32, i * 4, value);
            int bits = Float.floatToRawIntBits(value);
            if (key(bits) >= threshold) {
                count = note(i, bits, found, count);
            }
        }
        return count;
    }

    static long note(long element, int bits, long[] found, long count) {
        if (count < found.length) {
            found[(int) count] = ((long) bits << 32) | element;
        }
        return count + 1;
    }

    /** The number of keys above the threshold in the upper 32 bits, of keys equal to it in the lower. */
    long countAround(MemorySegment values, long from, long to, int threshold) {
        return countAroundFrom(values, from, to, threshold);
    }

    static long countAroundFrom(MemorySegment values, long from, long to, int threshold) {
        int above = 0;
        int equal = 0;
        for (long i = from; i < to; i++) {
            int key = key(values.get(I32, i * 4));
            above += key > threshold ? 1 : 0;
            equal += key == threshold ? 1 : 0;
        }
        return ((long) above << 32) | equal;
    }

    /**
     * Moves the elements whose key is above the threshold, and the first {@code equalLeft} that equal it, to the outputs,
     * and leaves +0.0 in their places.
     *
     * @return where the outputs end
     */
    long take(
            MemorySegment values,
            long from,
            long to,
            int threshold,
            long equalLeft,
            MemorySegment indices,
            MemorySegment taken,
            long next) {
        return takeFrom(values, from, to, threshold, equalLeft, indices, taken, next);
    }

    static long takeFrom(
            MemorySegment values,
            long from,
            long to,
            int threshold,
            long equalLeft,
            MemorySegment indices,
            MemorySegment taken,
            long next) {
        long left = equalLeft;
        for (long i = from; i < to; i++) {
            int bits = values.get(I32, i * 4);
            int key = key(bits);
            if (key > threshold || (key == threshold && left > 0)) {
                left -= key == threshold ? 1 : 0;
                next = move(values, i, bits, indices, taken, next);
            }
        }
        return next;
    }

    static long move(MemorySegment values, long i, int bits, MemorySegment indices, MemorySegment taken, long next) {
        indices.set(I32, next * 4, (int) i);
        taken.set(I32, next * 4, bits);
        values.set(I32, i * 4, 0);
        return next + 1;
    }
}
