package dev.slipstream.kernels.tornado;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Averaging: one work-item an element. */
final class AveragingKernels {
    private AveragingKernels() {}

    /** {@code values[i] *= factor}. */
    static void scale(KernelContext context, FloatArray values, IntArray counts, FloatArray factor) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            values.set(i, values.get(i) * factor.get(0));
        }
    }

    /** {@code values[i] *= factor}, in float64. */
    static void scale64(KernelContext context, DoubleArray values, IntArray counts, FloatArray factor) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            values.set(i, values.get(i) * factor.get(0));
        }
    }

    /**
     * {@code target[i] = (r0[i] + r1[i] + ...) * factor} of as many replicas as the arguments say, in this order. The
     * parameters beyond are any of the others.
     */
    static void sum(
            KernelContext context,
            FloatArray r0,
            FloatArray r1,
            FloatArray r2,
            FloatArray r3,
            FloatArray r4,
            FloatArray r5,
            FloatArray r6,
            FloatArray r7,
            FloatArray target,
            IntArray counts,
            FloatArray factor) {
        int i = context.globalIdx;
        if (i < counts.get(Arguments.ELEMENTS)) {
            int replicas = counts.get(Arguments.COUNT);
            float sum = r0.get(i);
            if (replicas > 1) {
                sum += r1.get(i);
            }
            if (replicas > 2) {
                sum += r2.get(i);
            }
            if (replicas > 3) {
                sum += r3.get(i);
            }
            if (replicas > 4) {
                sum += r4.get(i);
            }
            if (replicas > 5) {
                sum += r5.get(i);
            }
            if (replicas > 6) {
                sum += r6.get(i);
            }
            if (replicas > 7) {
                sum += r7.get(i);
            }
            target.set(i, sum * factor.get(0));
        }
    }
}
