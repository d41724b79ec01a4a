package dev.slipstream.scheduler;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The ranks compare what they are about to do before they do it. All exchange a fingerprint of their description; when one
 * differs, all exchange the descriptions themselves, and each finds the same first difference in them and throws the same
 * exception. What one rank alone finds wrong with its own input travels the same way, so that no rank waits for another
 * that has already failed.
 */
final class Handshake {
    private static final int DIGEST_BYTES = 32;
    private static final long HEADER_BYTES = DIGEST_BYTES + Long.BYTES;

    private Handshake() {}

    /**
     * A collective.
     *
     * @throws GradientException on every rank, with the same message, when the ranks differ or one has a problem
     */
    static void check(Communicator communicator, Description mine) {
        byte[] encoded = mine.encode();
        int ranks = communicator.size();
        // Automatic arenas: after a timeout the transport may still hold a buffer.
        Arena arena = Arena.ofAuto();
        MemorySegment header = arena.allocate(HEADER_BYTES, 64);
        MemorySegment.copy(sha256(encoded), 0, header, JAVA_BYTE, 0, DIGEST_BYTES);
        header.set(JAVA_LONG_UNALIGNED, DIGEST_BYTES, encoded.length);
        MemorySegment headers = arena.allocate(HEADER_BYTES * ranks, 64);
        communicator.allGather(header, headers, ElementType.UINT8);
        boolean same = true;
        long[] lengths = new long[ranks];
        long total = 0;
        for (int rank = 0; rank < ranks; rank++) {
            same &= headers.asSlice(rank * HEADER_BYTES, HEADER_BYTES).mismatch(header) < 0;
            lengths[rank] = headers.get(JAVA_LONG_UNALIGNED, rank * HEADER_BYTES + DIGEST_BYTES);
            total = Math.addExact(total, lengths[rank]);
        }
        if (same && mine.problem().isEmpty()) {
            return;
        }
        MemorySegment send = arena.allocate(encoded.length, 64).copyFrom(MemorySegment.ofArray(encoded));
        MemorySegment receive = arena.allocate(total, 64);
        communicator.allGather(send, receive, ElementType.UINT8, lengths);
        List<Description> all = new ArrayList<>();
        long offset = 0;
        for (int rank = 0; rank < ranks; rank++) {
            byte[] bytes = new byte[Math.toIntExact(lengths[rank])];
            MemorySegment.copy(receive, JAVA_BYTE, offset, bytes, 0, bytes.length);
            all.add(Description.decode(bytes));
            offset += lengths[rank];
        }
        throw new GradientException(Difference.describe(all));
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(bytes), DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256.", e);
        }
    }
}
