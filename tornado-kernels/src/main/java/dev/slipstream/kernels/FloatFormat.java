package dev.slipstream.kernels;

/** The floating formats that kernels read and write, in native byte order. */
public enum FloatFormat {
    FLOAT32(4),
    FLOAT64(8),
    /** IEEE 754 binary16, as bits. */
    FLOAT16(2),
    /** The upper half of an IEEE 754 binary32, as bits. */
    BFLOAT16(2);

    private final int bytes;

    FloatFormat(int bytes) {
        this.bytes = bytes;
    }

    /** Size of one element in bytes. */
    public int bytes() {
        return bytes;
    }
}
