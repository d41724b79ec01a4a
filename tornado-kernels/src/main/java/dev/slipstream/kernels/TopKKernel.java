package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;

/**
 * A prepared top-k selection with error feedback, exact and deterministic: of {@code gradient + residual} (float32) the k
 * elements of largest magnitude. Ties go to the lower index, NaN counts as larger than infinity, and -0.0 has the
 * magnitude of 0.0. Afterwards the residual holds the sum with +0.0 in the places selected; the gradient is unchanged.
 *
 * <p>Selection with error feedback: Stich et al., <a href="https://arxiv.org/abs/1809.07599">Sparsified SGD with
 * Memory</a>, 2018.
 */
public interface TopKKernel extends AutoCloseable {
    /**
     * Selects {@code k} elements; when it returns, {@link #indices()} and {@link #values()} hold them.
     *
     * @param k 0 to the maximum given when the kernel was prepared
     */
    void run(int k);

    /**
     * Brings the residual to the host's payload, for a checkpoint or another plan. Until then an engine may keep it on the
     * device from step to step.
     */
    void storeResidual();

    /** Before the next {@link #run}: the residual's payload on the host has changed, and counts. */
    void loadResidual();

    /** The k indices as int32, ascending. Backed by the kernel's own memory, valid until the next {@link #run}. */
    MemorySegment indices();

    /** The k values as float32, in the order of {@link #indices()}. */
    MemorySegment values();

    @Override
    void close();

    /** The k that a ratio in (0, 1] asks for: the ratio times the elements, rounded to nearest, and at least 1 where there is one. */
    static int count(double ratio, long elements) {
        if (!(ratio > 0 && ratio <= 1)) {
            throw new IllegalArgumentException("The top-k ratio must be above 0 and at most 1, but is " + ratio + ".");
        }
        long k = Math.max(1, Math.round(ratio * elements));
        return Math.toIntExact(Math.min(k, elements));
    }
}
