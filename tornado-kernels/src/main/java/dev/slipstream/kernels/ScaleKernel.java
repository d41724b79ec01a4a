package dev.slipstream.kernels;

/** A prepared scaling of one buffer in place. */
public interface ScaleKernel extends AutoCloseable {
    /** Multiplies every element by {@code factor}, in float32. */
    void run(float factor);

    @Override
    void close();
}
