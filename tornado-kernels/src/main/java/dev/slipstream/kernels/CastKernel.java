package dev.slipstream.kernels;

/** A prepared cast between a float32 buffer and a buffer of 16-bit floats. */
public interface CastKernel extends AutoCloseable {
    /** Casts float32 to 16 bits: rounds to nearest, ties to even. */
    void narrow();

    /** Casts 16 bits to float32: exact. */
    void widen();

    @Override
    void close();
}
