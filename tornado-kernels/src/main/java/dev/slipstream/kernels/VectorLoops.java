package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The loops with the Vector API. Only loaded where the module jdk.incubator.vector is there. */
final class VectorLoops extends Loops {
    private static final VectorSpecies<Float> F = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> I = IntVector.SPECIES_PREFERRED;
    /** As many shorts as {@link #I} has ints. */
    private static final VectorSpecies<Short> S =
            VectorSpecies.of(short.class, VectorShape.forBitSize(I.vectorBitSize() / 2));

    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    String description() {
        return F.vectorBitSize() + "-bit vectors";
    }

    @Override
    void scale(MemorySegment in, long atIn, MemorySegment out, long at, long count, float factor) {
        // Arrays take a loop of their own: one loop over both heap and native memory is slow on both.
        Optional<Object> base = in.heapBase();
        if (base.isPresent() && base.get() instanceof float[] array && out.isNative()) {
            scaleArray(array, Math.toIntExact((in.address() + atIn) / 4), out, at, (int) count, factor);
        } else if (in.isNative() && out.isNative()) {
            scaleNative(in, atIn, out, at, count, factor);
        } else {
            scaleFrom(0, in, atIn, out, at, count, factor);
        }
    }

    private static void scaleNative(MemorySegment in, long atIn, MemorySegment out, long at, long count, float factor) {
        long bound = F.loopBound(count);
        for (long i = 0; i < bound; i += F.length()) {
            FloatVector.fromMemorySegment(F, in, atIn + i * 4, ORDER)
                    .mul(factor)
                    .intoMemorySegment(out, at + i * 4, ORDER);
        }
        scaleFrom(bound, in, atIn, out, at, count, factor);
    }

    private static void scaleArray(float[] in, int from, MemorySegment out, long at, int count, float factor) {
        int bound = F.loopBound(count);
        for (int i = 0; i < bound; i += F.length()) {
            FloatVector.fromArray(F, in, from + i).mul(factor).intoMemorySegment(out, at + i * 4L, ORDER);
        }
        for (int i = bound; i < count; i++) {
            out.set(F32, at + i * 4L, in[from + i] * factor);
        }
    }

    @Override
    void add(MemorySegment a, long atA, MemorySegment b, long atB, MemorySegment out, long at, long count) {
        long bound = F.loopBound(count);
        for (long i = 0; i < bound; i += F.length()) {
            FloatVector.fromMemorySegment(F, a, atA + i * 4, ORDER)
                    .add(FloatVector.fromMemorySegment(F, b, atB + i * 4, ORDER))
                    .intoMemorySegment(out, at + i * 4, ORDER);
        }
        addFrom(bound, a, atA, b, atB, out, at, count);
    }

    @Override
    void narrow(FloatFormat format, MemorySegment in, long atIn, MemorySegment out, long at, long count, float factor) {
        long bound = in.isNative() ? I.loopBound(count) : 0;
        if (format == FloatFormat.FLOAT16) {
            toFloat16(in, atIn, out, at, bound, factor);
        } else {
            toBfloat16(in, atIn, out, at, bound, factor);
        }
        narrowFrom(bound, format, in, atIn, out, at, count, factor);
    }

    // A method for each format: HotSpot compiles a method by what it has seen it do.
    private static void toFloat16(MemorySegment in, long atIn, MemorySegment out, long at, long bound, float factor) {
        for (long i = 0; i < bound; i += I.length()) {
            store(float16(product(in, atIn + i * 4, factor)), out, at + i * 2);
        }
    }

    private static void toBfloat16(MemorySegment in, long atIn, MemorySegment out, long at, long bound, float factor) {
        for (long i = 0; i < bound; i += I.length()) {
            store(bfloat16(product(in, atIn + i * 4, factor)), out, at + i * 2);
        }
    }

    private static IntVector product(MemorySegment in, long at, float factor) {
        return FloatVector.fromMemorySegment(F, in, at, ORDER).mul(factor).reinterpretAsInts();
    }

    private static void store(IntVector bits, MemorySegment out, long at) {
        ((ShortVector) bits.convertShape(VectorOperators.I2S, S, 0)).intoMemorySegment(out, at, ORDER);
    }

    private static IntVector bfloat16(IntVector bits) {
        IntVector upper = bits.lanewise(VectorOperators.LSHR, 16);
        IntVector rounded = bits.add(upper.and(1)).add(0x7fff).lanewise(VectorOperators.LSHR, 16);
        VectorMask<Integer> nan = bits.and(Integer.MAX_VALUE).compare(VectorOperators.GT, 0x7f80_0000);
        return rounded.blend(upper.or(0x40), nan);
    }

    /**
     * By integer arithmetic. Normal results: the exponent is rebased and the mantissa rounded, carrying into the exponent
     * and so to infinity as it should. Subnormal ones: adding 0.5 lines the mantissa up with float16's last place, and the
     * addition rounds it (F. Giesen, "Float->half variants").
     */
    private static IntVector float16(IntVector bits) {
        IntVector sign = bits.lanewise(VectorOperators.LSHR, 16).and(0x8000);
        IntVector magnitude = bits.and(Integer.MAX_VALUE);
        IntVector normal = magnitude
                .add(magnitude.lanewise(VectorOperators.LSHR, 13).and(1))
                .add(0xc800_0fff) // (15 - 127) << 23, plus half of the last place less one
                .lanewise(VectorOperators.LSHR, 13);
        IntVector subnormal =
                magnitude.reinterpretAsFloats().add(0.5f).reinterpretAsInts().sub(0x3f00_0000);
        IntVector half = normal.blend(subnormal, magnitude.compare(VectorOperators.LT, 0x3880_0000))
                .blend(0x7c00, magnitude.compare(VectorOperators.GE, 0x4780_0000));
        IntVector nan = magnitude.lanewise(VectorOperators.LSHR, 13).and(0x1ff).or(0x7e00);
        return half.blend(nan, magnitude.compare(VectorOperators.GT, 0x7f80_0000))
                .or(sign);
    }

    @Override
    void widen(FloatFormat format, MemorySegment in, long atIn, MemorySegment out, long at, long count) {
        long bound = out.isNative() && in.isNative() ? I.loopBound(count) : 0;
        if (format == FloatFormat.FLOAT16) {
            fromFloat16(in, atIn, out, at, bound);
        } else {
            fromBfloat16(in, atIn, out, at, bound);
        }
        widenFrom(bound, format, in, atIn, out, at, count);
    }

    private static void fromFloat16(MemorySegment in, long atIn, MemorySegment out, long at, long bound) {
        for (long i = 0; i < bound; i += I.length()) {
            float32(shorts(in, atIn + i * 2)).intoMemorySegment(out, at + i * 4, ORDER);
        }
    }

    private static void fromBfloat16(MemorySegment in, long atIn, MemorySegment out, long at, long bound) {
        for (long i = 0; i < bound; i += I.length()) {
            shorts(in, atIn + i * 2).lanewise(VectorOperators.LSHL, 16).intoMemorySegment(out, at + i * 4, ORDER);
        }
    }

    private static IntVector shorts(MemorySegment in, long at) {
        return (IntVector) ShortVector.fromMemorySegment(S, in, at, ORDER).convertShape(VectorOperators.S2I, I, 0);
    }

    /** Exact: a subnormal's mantissa is an integer count of 2^-24. */
    private static IntVector float32(IntVector half) {
        IntVector sign = half.and(0x8000).lanewise(VectorOperators.LSHL, 16);
        IntVector magnitude = half.and(0x7fff);
        IntVector shifted = magnitude.lanewise(VectorOperators.LSHL, 13);
        IntVector normal = shifted.add(112 << 23);
        IntVector subnormal = ((FloatVector) magnitude.convert(VectorOperators.I2F, 0))
                .mul(0x1p-24f)
                .reinterpretAsInts();
        IntVector infinite = shifted.add(224 << 23);
        return normal.blend(subnormal, magnitude.compare(VectorOperators.LT, 0x400))
                .blend(infinite, magnitude.compare(VectorOperators.GE, 0x7c00))
                .blend(shifted.or(0x7fc0_0000), magnitude.compare(VectorOperators.GT, 0x7c00))
                .or(sign);
    }

    @Override
    void histogram(MemorySegment values, long from, long to, int prefix, int prefixShift, int shift, int[] histogram) {
        long i = from;
        long bound = from + I.loopBound(to - from);
        for (; i < bound; i += I.length()) {
            // Few elements share the prefix of the threshold: whole vectors are skipped.
            if (keys(values, i)
                    .lanewise(VectorOperators.LSHR, prefixShift)
                    .compare(VectorOperators.EQ, prefix)
                    .anyTrue()) {
                histogramFrom(values, i, i + I.length(), prefix, prefixShift, shift, histogram);
            }
        }
        histogramFrom(values, i, to, prefix, prefixShift, shift, histogram);
    }

    @Override
    long addAndFind(MemorySegment gradient, MemorySegment sum, long from, long to, int threshold, long[] found) {
        long count = 0;
        long i = from;
        long bound = from + F.loopBound(to - from);
        for (; i < bound; i += F.length()) {
            FloatVector value = FloatVector.fromMemorySegment(F, gradient, i * 4, ORDER)
                    .add(FloatVector.fromMemorySegment(F, sum, i * 4, ORDER));
            value.intoMemorySegment(sum, i * 4, ORDER);
            long lanes = value.reinterpretAsInts()
                    .and(Integer.MAX_VALUE)
                    .min(NAN_KEY)
                    .compare(VectorOperators.GE, threshold)
                    .toLong();
            for (; lanes != 0; lanes &= lanes - 1) {
                long at = i + Long.numberOfTrailingZeros(lanes);
                count = note(at, sum.get(I32, at * 4), found, count);
            }
        }
        return addAndFindFrom(gradient, sum, i, to, threshold, found, count);
    }

    @Override
    long countAround(MemorySegment values, long from, long to, int threshold) {
        IntVector above = IntVector.zero(I);
        IntVector equal = IntVector.zero(I);
        long bound = from + I.loopBound(to - from);
        long i = from;
        for (; i < bound; i += I.length()) {
            IntVector key = keys(values, i);
            above = above.add(1, key.compare(VectorOperators.GT, threshold));
            equal = equal.add(1, key.compare(VectorOperators.EQ, threshold));
        }
        long counted = ((long) above.reduceLanes(VectorOperators.ADD) << 32) | equal.reduceLanes(VectorOperators.ADD);
        return counted + countAroundFrom(values, i, to, threshold);
    }

    @Override
    long take(
            MemorySegment values,
            long from,
            long to,
            int threshold,
            long equalLeft,
            MemorySegment indices,
            MemorySegment taken,
            long next) {
        long left = equalLeft;
        long bound = from + I.loopBound(to - from);
        long i = from;
        for (; i < bound; i += I.length()) {
            long lanes = keys(values, i)
                    .compare(VectorOperators.GE, left > 0 ? threshold : threshold + 1)
                    .toLong();
            for (; lanes != 0; lanes &= lanes - 1) {
                long at = i + Long.numberOfTrailingZeros(lanes);
                int bits = values.get(I32, at * 4);
                if (key(bits) == threshold) {
                    if (left == 0) {
                        continue; // the vector was compared while there was one more to take
                    }
                    left--;
                }
                next = move(values, at, bits, indices, taken, next);
            }
        }
        return takeFrom(values, i, to, threshold, left, indices, taken, next);
    }

    private static IntVector keys(MemorySegment values, long element) {
        return IntVector.fromMemorySegment(I, values, element * 4, ORDER)
                .and(Integer.MAX_VALUE)
                .min(NAN_KEY);
    }
}
