package dev.slipstream.collectives.mpi;

/** Cuts a buffer that is longer than one MPI call takes (2^31 - 1 elements in MPI-3.1) into pieces that it does. */
final class Split {
    private Split() {}

    /** One piece of a buffer, in bytes. */
    @FunctionalInterface
    interface Piece {
        void run(long offset, long length);
    }

    /** Runs {@code piece} over {@code bytes}, at most {@code maxBytes} at a time; not at all for 0 bytes. */
    static void run(long bytes, long maxBytes, Piece piece) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException(
                    "A piece must hold at least one byte, but the limit is " + maxBytes + ".");
        }
        for (long offset = 0; offset < bytes; offset += maxBytes) {
            piece.run(offset, Math.min(maxBytes, bytes - offset));
        }
    }
}
