package dev.slipstream.kernels.tornado;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;

/**
 * Products as bits, which {@link CastKernels} then round to 16 bits.
 *
 * <p>Tasks of their own, since TornadoVM 5.2 compiles {@code floatToRawIntBits} where its value is stored, not where integer
 * arithmetic follows, and {@code intBitsToFloat} nowhere.
 */
final class ProductKernels {
    /** How many values 16 bits have: the length of a table of what they mean. */
    static final int TABLE = 1 << 16;

    private ProductKernels() {}

    /** {@code products[i] = bits of floats[i] * factor}. */
    static void ofFloats(
            KernelContext context, FloatArray floats, IntArray products, IntArray counts, FloatArray factor) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            products.set(i, Float.floatToRawIntBits(floats.get(i) * factor.get(0)));
        }
    }

    /**
     * {@code products[i] = bits of table[halves[i]] * factor}.
     *
     * @param table the float32 of each 16 bits
     */
    static void ofHalves(
            KernelContext context,
            ShortArray halves,
            FloatArray table,
            IntArray products,
            IntArray counts,
            FloatArray factor) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            products.set(i, Float.floatToRawIntBits(table.get(halves.get(i) & 0xffff) * factor.get(0)));
        }
    }
}
