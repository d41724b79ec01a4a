package dev.slipstream.collectives.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.slipstream.collectives.CommunicatorAbortedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What ranks tell each other outside of collectives: that the group has ended and why, that one leaves, and, where a wait
 * grows long, in which operation one has arrived. On a communicator of its own, so that any thread may use it beside a
 * running collective; it costs nothing while all goes well, since only waits that are already long look here.
 */
final class ControlChannel {
    private static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG;

    /** Small enough to be sent without the receiver's doing. */
    private static final int MESSAGE_BYTES = 2048;

    private static final int TEXT_OFFSET = 24;
    private static final int TAG = 1;
    private static final Duration FLUSH = Duration.ofMillis(200);

    /** What a message says. */
    private enum Kind {
        ARRIVED,
        ENDED,
        LEFT
    }

    /** Why and by whom the group was ended. */
    private record Ending(int rank, String reason) {}

    private final MpiBinding.Comm comm;
    private final int rank;
    private final int size;
    private final MemorySegment inbox = Arena.ofAuto().allocate(MESSAGE_BYTES, 64);
    private MpiBinding.@Nullable Request receiving;
    private final List<MpiBinding.Request> sending = new ArrayList<>();
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
    private final AtomicLongArray arrived;

    /** The last operation that a rank completed before it left; -1 while it is there. */
    private final AtomicLongArray left;

    ControlChannel(MpiBinding.Comm comm) {
        this.comm = comm;
        rank = comm.rank();
        size = comm.size();
        arrived = new AtomicLongArray(size);
        left = new AtomicLongArray(size);
        for (int other = 0; other < size; other++) {
            left.set(other, -1);
        }
        listen();
    }

    private void listen() {
        receiving = size == 1 ? null : comm.startReceive(inbox, MpiBinding.ANY_SOURCE, TAG);
    }

    /** Takes in what the others have said. */
    synchronized void poll() {
        MpiBinding.Request request = receiving;
        while (request != null && request.test()) {
            int source = inbox.get(I32, 0);
            long operation = inbox.get(I64, 8);
            switch (Kind.values()[inbox.get(I32, 4)]) {
                case ARRIVED -> arrived.accumulateAndGet(source, operation, Math::max);
                case LEFT -> left.set(source, operation);
                case ENDED -> {
                    byte[] text = new byte[inbox.get(I32, 16)];
                    MemorySegment.copy(inbox, ValueLayout.JAVA_BYTE, TEXT_OFFSET, text, 0, text.length);
                    ending.compareAndSet(null, new Ending(source, new String(text, UTF_8)));
                }
            }
            listen();
            request = receiving;
        }
        sending.removeIf(MpiBinding.Request::test);
    }

    @SuppressWarnings("EnumOrdinal") // both sides run the same program
    private synchronized void tellAll(Kind kind, long operation, String text) {
        if (size == 1) {
            return;
        }
        MemorySegment message = Arena.ofAuto().allocate(MESSAGE_BYTES, 64);
        message.set(I32, 0, rank);
        message.set(I32, 4, kind.ordinal());
        message.set(I64, 8, operation);
        byte[] bytes = text.getBytes(UTF_8);
        int length = Math.min(bytes.length, MESSAGE_BYTES - TEXT_OFFSET);
        message.set(I32, 16, length);
        MemorySegment.copy(bytes, 0, message, ValueLayout.JAVA_BYTE, TEXT_OFFSET, length);
        for (int other = 0; other < size; other++) {
            if (other != rank && left.get(other) < 0) {
                sending.add(comm.startSend(message, other, TAG));
            }
        }
        long deadline = System.nanoTime() + FLUSH.toNanos();
        do {
            poll();
        } while (!sending.isEmpty() && System.nanoTime() < deadline);
    }

    /** Says that this rank waits in an operation. */
    void tellArrived(long operation) {
        arrived.set(rank, operation);
        tellAll(Kind.ARRIVED, operation, "");
    }

    /** Whether another rank has said that it waits in this operation. */
    boolean someoneWaits(long operation) {
        for (int other = 0; other < size; other++) {
            if (other != rank && arrived.get(other) >= operation) {
                return true;
            }
        }
        return false;
    }

    /** Whether a rank has said that it arrived in an operation; this one always has. */
    boolean hasArrived(int other, long operation) {
        return other == rank || arrived.get(other) >= operation;
    }

    /** Ends the group on all ranks; the first reason counts. */
    void end(String reason) {
        if (ending.compareAndSet(null, new Ending(rank, reason))) {
            tellAll(Kind.ENDED, 0, reason);
        }
    }

    /** Says that this rank leaves, having completed so many operations. */
    void leave(long operations) {
        left.set(rank, operations);
        tellAll(Kind.LEFT, operations, "");
    }

    boolean hasLeft(int other) {
        return left.get(other) >= 0;
    }

    boolean hasEnded() {
        return ending.get() != null;
    }

    void throwIfEnded() {
        Ending end = ending.get();
        if (end != null) {
            throw new CommunicatorAbortedException("Rank " + end.rank + " ended the group: " + end.reason);
        }
    }

    /** Throws when a rank has left before it arrived in {@code operation}. */
    void throwIfSomeoneLeftBefore(long operation, String what) {
        for (int other = 0; other < size; other++) {
            long completed = left.get(other);
            if (other != rank && completed >= 0 && completed < operation) {
                throw new CommunicatorAbortedException("Rank " + rank + " waited in operation " + operation + " ("
                        + what + ") for rank " + other + ", which has closed its communicator.");
            }
        }
    }

    /** Whether all ranks have left and nothing is on its way, so that the communicator may be freed. */
    synchronized boolean isOver() {
        poll();
        for (int other = 0; other < size; other++) {
            if (left.get(other) < 0) {
                return false;
            }
        }
        return sending.isEmpty();
    }

    /** Stops listening; then the communicator may be freed, if all ranks have left. */
    synchronized void stop() {
        MpiBinding.Request request = receiving;
        if (request != null) {
            request.cancel();
            receiving = null;
        }
    }

    MpiBinding.Comm comm() {
        return comm;
    }
}
