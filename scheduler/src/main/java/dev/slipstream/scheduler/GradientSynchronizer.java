package dev.slipstream.scheduler;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.kernels.KernelEngine;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Averages the gradients of one rank with those of all others while its backward pass still runs.
 *
 * <pre>{@code
 * try (var synchronizer = GradientSynchronizer.create(communicator, parameters, OverlapConfig.defaults())) {
 *     for (...) {
 *         ... forward, backward: as soon as a gradient exists
 *         synchronizer.gradientReady("layer2.bias", gradient);
 *         ...
 *         synchronizer.finishStep(); // every array handed over now holds the average of all ranks
 *         ... optimizer
 *     }
 * }
 * }</pre>
 */
@SuppressWarnings("DoNotCallSuggester")
public final class GradientSynchronizer implements AutoCloseable {
    private GradientSynchronizer() {}

    /** {@link #create(Communicator, List, OverlapConfig, KernelEngine)} with a cpu engine of its own, of one thread. */
    public static GradientSynchronizer create(
            Communicator communicator, List<Parameter> parameters, OverlapConfig config) {
        throw new UnsupportedOperationException();
    }

    /**
     * Opens a synchronizer: a collective, which all ranks call alike.
     *
     * @param parameters in registration order, which is the order of the forward pass
     */
    public static GradientSynchronizer create(
            Communicator communicator, List<Parameter> parameters, OverlapConfig config, KernelEngine engine) {
        throw new UnsupportedOperationException();
    }

    /** The index of a parameter in the list given, for loops that look names up once. */
    public int index(String name) {
        throw new UnsupportedOperationException(name);
    }

    /** Hands over a gradient; its memory belongs to the synchronizer until {@link #finishStep()} returns. */
    public void gradientReady(String name, float[] gradient) {
        gradientReady(index(name), gradient);
    }

    /** Hands over a float64 gradient. */
    public void gradientReady(String name, double[] gradient) {
        gradientReady(index(name), gradient);
    }

    /** Hands over a gradient in native or heap memory. */
    public void gradientReady(String name, MemorySegment gradient) {
        gradientReady(index(name), gradient);
    }

    /** {@link #gradientReady(String, float[])} by index. */
    public void gradientReady(int index, float[] gradient) {
        gradientReady(index, MemorySegment.ofArray(gradient));
    }

    /** {@link #gradientReady(String, double[])} by index. */
    public void gradientReady(int index, double[] gradient) {
        gradientReady(index, MemorySegment.ofArray(gradient));
    }

    /** {@link #gradientReady(String, MemorySegment)} by index. */
    public void gradientReady(int index, MemorySegment gradient) {
        throw new UnsupportedOperationException();
    }

    /** Returns when every gradient handed over holds the average of all ranks, with the same bits on all. */
    public void finishStep() {
        throw new UnsupportedOperationException();
    }

    /** Where in its bucket a gradient lies: a backward pass that writes it there skips the copy. */
    public MemorySegment gradientView(String name) {
        throw new UnsupportedOperationException(name);
    }

    /** The buckets, in the order in which they go. */
    public List<PlannedBucket> plan() {
        throw new UnsupportedOperationException();
    }

    /** What has been done so far. */
    public SynchronizerStats stats() {
        throw new UnsupportedOperationException();
    }

    /** Leaves the other ranks, stops the thread and frees the buckets. Always returns; a second call does nothing. */
    @Override
    public void close() {}
}
