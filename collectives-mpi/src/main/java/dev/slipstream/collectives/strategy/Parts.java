package dev.slipstream.collectives.strategy;

/**
 * A buffer cut into as many parts as there are ranks, in rank order, as equal as whole cache lines allow; with fewer lines
 * than ranks some parts are empty. A line is a multiple of every element size.
 *
 * @param bytes length of the buffer
 * @param count how many parts
 */
public record Parts(long bytes, int count) {
    private static final long LINE = 64;

    /** Offset of a part in bytes; {@code start(count)} is the buffer's end. */
    public long start(int part) {
        if (part == count) {
            return bytes;
        }
        long lines = bytes / LINE;
        return (lines / count * part + lines % count * part / count) * LINE;
    }

    public long length(int part) {
        return start(part + 1) - start(part);
    }

    /** Length of the longest part. */
    public long longest() {
        long longest = 0;
        for (int part = 0; part < count; part++) {
            longest = Math.max(longest, length(part));
        }
        return longest;
    }
}
