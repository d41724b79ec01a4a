package dev.slipstream.kernels.tornado;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;

/**
 * Casts between float32 and 16-bit floats by integer arithmetic on their bits, since not every device has 16-bit floats:
 * to nearest, ties to even; overflow to infinity; subnormals kept; a NaN stays a quiet NaN with its sign and the upper bits
 * of its payload.
 *
 * <p>TornadoVM compiles {@code >>>} as {@code >>}, so every shift here is followed by a mask where the sign would come in.
 */
final class CastKernels {
    private static final int INFINITY = 0x7f80_0000;

    private CastKernels() {}

    static void toFloat16(KernelContext context, IntArray floats, ShortArray bits, IntArray counts) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            bits.set(i, (short) float16(floats.get(i)));
        }
    }

    static void toBfloat16(KernelContext context, IntArray floats, ShortArray bits, IntArray counts) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            bits.set(i, (short) bfloat16(floats.get(i)));
        }
    }

    static void fromFloat16(KernelContext context, ShortArray bits, IntArray floats, IntArray counts) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            floats.set(i, float32(bits.get(i)));
        }
    }

    static void fromBfloat16(KernelContext context, ShortArray bits, IntArray floats, IntArray counts) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            floats.set(i, (bits.get(i) & 0xffff) << 16);
        }
    }

    /** The bits of a float16 that is nearest to the float32 of the given bits. */
    static int float16(int bits) {
        int sign = (bits >> 16) & 0x8000;
        int magnitude = bits & 0x7fff_ffff;
        int half;
        if (magnitude > INFINITY) {
            half = 0x7e00 | ((magnitude >> 13) & 0x1ff);
        } else if (magnitude >= 0x4780_0000) { // 2^16 and above
            half = 0x7c00;
        } else if (magnitude
                >= 0x3880_0000) { // 2^-14 and above: normal; a carry out of the fraction raises the exponent
            int rebiased = magnitude - 0x3800_0000;
            half = (rebiased + 0xfff + ((rebiased >> 13) & 1)) >> 13;
        } else if (magnitude > 0x3300_0000) { // above 2^-25: the nearest multiple of 2^-24
            int shift = 126 - (magnitude >> 23);
            int fraction = (magnitude & 0x007f_ffff) | 0x0080_0000;
            int kept = fraction >> shift;
            half = (fraction + (1 << (shift - 1)) - 1 + (kept & 1)) >> shift;
        } else {
            half = 0;
        }
        return sign | half;
    }

    /** The bits of a bfloat16 that is nearest to the float32 of the given bits. */
    static int bfloat16(int bits) {
        int magnitude = bits & 0x7fff_ffff;
        int rounded;
        if (magnitude > INFINITY) {
            rounded = (magnitude >> 16) | 0x40;
        } else {
            rounded = (magnitude + 0x7fff + ((magnitude >> 16) & 1)) >> 16;
        }
        return ((bits >> 16) & 0x8000) | rounded;
    }

    /** The bits of the float32 that a float16 is. */
    static int float32(int half) {
        int sign = (half & 0x8000) << 16;
        int exponent = (half >> 10) & 0x1f;
        int fraction = half & 0x3ff;
        int magnitude;
        if (exponent == 31) {
            magnitude = fraction == 0 ? INFINITY : 0x7fc0_0000 | ((fraction & 0x1ff) << 13);
        } else if (exponent > 0) {
            magnitude = ((exponent + 112) << 23) | (fraction << 13);
        } else if (fraction == 0) {
            magnitude = 0;
        } else {
            int top = top(fraction);
            magnitude = ((top + 103) << 23) | ((fraction << (23 - top)) & 0x007f_ffff);
        }
        return sign | magnitude;
    }

    /** The place of the highest bit of 1 to 1023. (numberOfLeadingZeros does not compile.) */
    private static int top(int fraction) {
        int place = 0;
        int rest = fraction;
        if (rest >= 256) {
            place += 8;
            rest >>= 8;
        }
        if (rest >= 16) {
            place += 4;
            rest >>= 4;
        }
        if (rest >= 4) {
            place += 2;
            rest >>= 2;
        }
        return rest >= 2 ? place + 1 : place;
    }
}
