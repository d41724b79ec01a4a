package dev.slipstream.kernels;

/** A prepared sum of replicas. */
public interface SumKernel extends AutoCloseable {
    /** Sums the replicas in list order, times {@code factor} (1/n for the average), in float32. */
    void run(float factor);

    @Override
    void close();
}
