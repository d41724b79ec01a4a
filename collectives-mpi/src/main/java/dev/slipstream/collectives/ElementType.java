package dev.slipstream.collectives;

/**
 * What a buffer holds. All values are in native byte order. The 16-bit floating types are accumulated in float32 and
 * rounded once, so that the result does not depend on how many hops a sum takes.
 */
public enum ElementType {
    FLOAT32(4),
    FLOAT64(8),
    /** IEEE 754 binary16. */
    FLOAT16(2),
    /** The upper half of an IEEE 754 binary32. */
    BFLOAT16(2),
    INT32(4),
    INT64(8),
    /** An unsigned byte. */
    UINT8(1);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Size of one element in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Whether the type is one of the four floating types, the ones that have an average. */
    public boolean isFloating() {
        return switch (this) {
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> true;
            case INT32, INT64, UINT8 -> false;
        };
    }
}
