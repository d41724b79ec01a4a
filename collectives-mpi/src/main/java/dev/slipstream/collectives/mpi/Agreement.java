package dev.slipstream.collectives.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.slipstream.collectives.CollectiveMismatchException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * The ranks compare what they are about to do before MPI sees a buffer: MPI itself gives wrong values or overruns buffers
 * when they differ. One small all-reduce of the largest fingerprint f and the largest ~f: the largest and the smallest
 * fingerprint are one when all are. Only when they are not do the ranks tell each other in words.
 */
final class Agreement {
    private static final int TEXT_BYTES = 512;

    private final MpiBinding.Comm comm;
    private final Progress progress;
    private final MemorySegment extremes = Arena.ofAuto().allocate(2 * Long.BYTES, 64);

    Agreement(MpiBinding.Comm comm, Progress progress) {
        this.comm = comm;
        this.progress = progress;
    }

    /**
     * Meets all ranks.
     *
     * @param what {@code in operation 7}
     * @throws CollectiveMismatchException on every rank, when any two differ
     */
    void agree(long fingerprint, String what, Supplier<String> text) {
        extremes.set(ValueLayout.JAVA_LONG, 0, fingerprint);
        extremes.set(ValueLayout.JAVA_LONG, 8, ~fingerprint);
        progress.awaitMeeting(
                comm.startAllReduce(extremes, extremes, 2, MpiBinding.Type.INT64, MpiBinding.Op.MAX)::test);
        long largest = extremes.get(ValueLayout.JAVA_LONG, 0);
        long smallest = ~extremes.get(ValueLayout.JAVA_LONG, 8);
        if (largest != smallest) {
            throw mismatch(what, text.get());
        }
    }

    private CollectiveMismatchException mismatch(String what, String own) {
        int size = comm.size();
        MemorySegment texts = Arena.ofAuto().allocate((long) TEXT_BYTES * size, 64);
        byte[] bytes = own.getBytes(UTF_8);
        MemorySegment.copy(
                bytes,
                0,
                texts,
                ValueLayout.JAVA_BYTE,
                (long) comm.rank() * TEXT_BYTES,
                Math.min(bytes.length, TEXT_BYTES - 1));
        // Every rank fills a place of its own and leaves the others zero: "or" gathers them.
        int bytesOfAll = Math.toIntExact(texts.byteSize());
        progress.awaitMeeting(
                comm.startAllReduce(texts, texts, bytesOfAll, MpiBinding.Type.BYTE, MpiBinding.Op.BOR)::test);
        String[] all = new String[size];
        Arrays.setAll(all, rank -> texts.getString((long) rank * TEXT_BYTES));
        int other = 1;
        while (other < size - 1 && all[other].equals(all[0])) {
            other++;
        }
        return new CollectiveMismatchException("The ranks differ " + what + ": rank 0 calls " + all[0] + ", rank "
                + other + " calls " + all[other] + "; rank " + comm.rank() + " called " + own
                + ". All ranks must make the same calls in the same order.");
    }
}
