package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;

/**
 * One float32 to 16 bits and back: to nearest, ties to even; overflow to infinity; a NaN stays a NaN, quiet, with its sign
 * and the upper bits of its payload (as IEEE 754-2019, 6.2.3 recommends, and processors do).
 */
final class SixteenBits {
    private SixteenBits() {}

    static short toFloat16(float value) {
        if (Float.isNaN(value)) {
            int bits = Float.floatToRawIntBits(value);
            return (short) (((bits >>> 16) & 0x8000) | 0x7e00 | ((bits >>> 13) & 0x1ff));
        }
        return Float.floatToFloat16(value);
    }

    static int float16ToBits(short half) {
        if ((half & 0x7fff) > 0x7c00) {
            return ((half & 0x8000) << 16) | 0x7fc0_0000 | ((half & 0x1ff) << 13);
        }
        return Float.floatToRawIntBits(Float.float16ToFloat(half));
    }

    static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if ((bits & Integer.MAX_VALUE) > 0x7f80_0000) {
            return (short) ((bits >>> 16) | 0x40);
        }
        // Half of the last kept place, less one, plus that place: rounds a tie to even. Overflows to infinity by
        // itself.
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }

    /** {@code out[i] = in[i] * factor} between buffers of one format: multiplied in float32, rounded once. */
    static void scale(
            FloatFormat format, MemorySegment in, long atIn, MemorySegment out, long at, long count, float factor) {
        for (long i = 0; i < count; i++) {
            short bits = in.get(Loops.I16, atIn + i * 2);
            float value = Float.intBitsToFloat(format == FloatFormat.FLOAT16 ? float16ToBits(bits) : bits << 16);
            float scaled = value * factor;
            out.set(Loops.I16, at + i * 2, format == FloatFormat.FLOAT16 ? toFloat16(scaled) : toBfloat16(scaled));
        }
    }
}
