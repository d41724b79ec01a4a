package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.CollectiveMismatchException;
import dev.slipstream.collectives.CollectiveTimeoutException;
import dev.slipstream.collectives.CommunicatorAbortedException;
import dev.slipstream.collectives.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * {@code send} and {@code receive} of the API. The sender announces type and length, the receiver says whether that is what
 * it expects, and only then does the payload go: sizes that differ are an error on both sides, and no buffer is overrun.
 *
 * <p>On a communicator of its own, beside the collectives. Several threads may send and receive at a time; each call of MPI
 * holds the lock, the waits don't.
 */
final class Messages {
    private static final int ANNOUNCEMENT = 3;
    private static final int ANSWER = 4;
    private static final int PAYLOAD = 5;
    private static final int HEADER_BYTES = 16;
    private static final long NAP_NANOS = 50_000;
    private static final int SPINS = 2_000;
    private static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG;

    private final MpiBinding.Comm comm;
    private final ControlChannel control;
    private final Duration timeout;
    private final BooleanSupplier closed;
    private final long maxBytes;
    private final ReentrantLock mpi = new ReentrantLock();

    Messages(MpiBinding.Comm comm, ControlChannel control, Duration timeout, BooleanSupplier closed, long maxBytes) {
        this.comm = comm;
        this.control = control;
        this.timeout = timeout;
        this.closed = closed;
        this.maxBytes = maxBytes;
    }

    MpiBinding.Comm comm() {
        return comm;
    }

    /** A request and the lock it is tested under. */
    private interface Start {
        MpiBinding.Request run();
    }

    void send(MemorySegment buffer, ElementType type, int destination) {
        String what = "send " + describe(buffer.byteSize(), type);
        MemorySegment header = header(buffer, type);
        MemorySegment answer = Arena.ofAuto().allocate(HEADER_BYTES, 8);
        MpiBinding.Request answering = start(() -> comm.startReceive(answer, destination, ANSWER));
        await(start(() -> comm.startSend(header, destination, ANNOUNCEMENT)), destination, what);
        await(answering, destination, what);
        if (header.mismatch(answer) >= 0) {
            throw mismatch(comm.rank(), header, destination, answer);
        }
        Split.run(
                buffer.byteSize(),
                maxBytes,
                (offset, length) -> await(
                        start(() -> comm.startSend(buffer.asSlice(offset, length), destination, PAYLOAD)),
                        destination,
                        what));
    }

    void receive(MemorySegment buffer, ElementType type, int source) {
        String what = "receive " + describe(buffer.byteSize(), type);
        MemorySegment header = header(buffer, type);
        MemorySegment announced = Arena.ofAuto().allocate(HEADER_BYTES, 8);
        await(start(() -> comm.startReceive(announced, source, ANNOUNCEMENT)), source, what);
        await(start(() -> comm.startSend(header, source, ANSWER)), source, what);
        if (header.mismatch(announced) >= 0) {
            throw mismatch(source, announced, comm.rank(), header);
        }
        Split.run(
                buffer.byteSize(),
                maxBytes,
                (offset, length) -> await(
                        start(() -> comm.startReceive(buffer.asSlice(offset, length), source, PAYLOAD)), source, what));
    }

    @SuppressWarnings("EnumOrdinal") // the type is its place among all types
    private static MemorySegment header(MemorySegment buffer, ElementType type) {
        MemorySegment header = Arena.ofAuto().allocate(HEADER_BYTES, 8);
        header.set(I64, 0, type.ordinal());
        header.set(I64, 8, buffer.byteSize());
        return header;
    }

    private static CollectiveMismatchException mismatch(
            int sender, MemorySegment sent, int receiver, MemorySegment expected) {
        return new CollectiveMismatchException("Rank " + sender + " sends " + describe(sent) + ", but rank " + receiver
                + " receives " + describe(expected) + ".");
    }

    @SuppressWarnings("EnumOrdinal") // the type is its place among all types
    private static String describe(MemorySegment header) {
        return describe(header.get(I64, 8), ElementType.values()[(int) header.get(I64, 0)]);
    }

    private static String describe(long bytes, ElementType type) {
        return bytes / type.bytes() + " " + type;
    }

    private MpiBinding.Request start(Start start) {
        mpi.lock();
        try {
            return start.run();
        } finally {
            mpi.unlock();
        }
    }

    private boolean test(MpiBinding.Request request) {
        mpi.lock();
        try {
            return request.test();
        } finally {
            mpi.unlock();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding is only the first of two steps, never relied upon
    private void await(MpiBinding.Request request, int peer, String what) {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (int round = 0; !test(request); round++) {
            if (round < SPINS) {
                Thread.yield();
                continue;
            }
            control.poll();
            control.throwIfEnded();
            if (closed.getAsBoolean()) {
                throw new CommunicatorAbortedException(
                        "Rank " + comm.rank() + " closed its communicator while it waited to " + what + ".");
            }
            if (control.hasLeft(peer) && !arrivesYet(request)) {
                throw new CommunicatorAbortedException("Rank " + comm.rank() + " waited to " + what + " for rank "
                        + peer + ", which has closed its communicator.");
            }
            if (System.nanoTime() >= deadline) {
                String message = "Rank " + comm.rank() + " waited " + timeout + " to " + what + " for rank " + peer
                        + ", which did not come.";
                control.end(message);
                throw new CollectiveTimeoutException(message, List.of(peer));
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** What a rank sent before it left may still be on its way through this process's queues. */
    private boolean arrivesYet(MpiBinding.Request request) {
        for (int round = 0; round < SPINS; round++) {
            if (test(request)) {
                return true;
            }
        }
        return false;
    }
}
