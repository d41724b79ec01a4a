package dev.slipstream.kernels.tornado;

import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * What a kernel is told anew in each execution. It comes in arrays: TornadoVM compiles a scalar argument into the kernel as
 * a constant.
 */
final class Arguments {
    /** How many elements the kernel works on; none in the execution that only compiles. */
    static final int ELEMENTS = 0;

    /** How many replicas are summed, or how many elements are selected. */
    static final int COUNT = 1;

    private final IntArray counts = new IntArray(2);
    private final FloatArray factor = new FloatArray(1);

    IntArray counts() {
        return counts;
    }

    /** The factor, alone. */
    FloatArray factor() {
        return factor;
    }

    void set(int elements, int count, float by) {
        counts.set(ELEMENTS, elements);
        counts.set(COUNT, count);
        factor.set(0, by);
    }
}
