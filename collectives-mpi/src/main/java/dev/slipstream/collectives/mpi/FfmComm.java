package dev.slipstream.collectives.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A communicator of libmpi. Requests live in slots of native memory that are used again, so that a step allocates only
 * the small object that stands for one.
 */
final class FfmComm implements MpiBinding.Comm {
    private static final int SLOT_BYTES = 16;
    private static final int SLOTS_PER_BLOCK = 64;

    private final MemorySegment handle;
    private final int rank;
    private final int size;
    private final Arena arena = Arena.ofAuto();
    private final List<MemorySegment> freeSlots = new ArrayList<>();
    private int slots;

    /**
     * Requests under way, by their slot: they hold their buffers reachable, even if the caller drops the request and the
     * buffer's arena is an automatic one.
     */
    private final List<@Nullable FfmRequest> inFlight = new ArrayList<>();

    private int pending;

    FfmComm(MemorySegment handle) {
        this.handle = handle;
        rank = query("MPI_Comm_rank", out -> (int) LibMpi.COMM_RANK.invokeExact(handle, out));
        size = query("MPI_Comm_size", out -> (int) LibMpi.COMM_SIZE.invokeExact(handle, out));
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public MpiBinding.Comm dup() {
        return create("MPI_Comm_dup", out -> (int) LibMpi.COMM_DUP.invokeExact(handle, out));
    }

    @Override
    public MpiBinding.Comm split(int color, int key) {
        return create("MPI_Comm_split", out -> (int) LibMpi.COMM_SPLIT.invokeExact(handle, color, key, out));
    }

    @Override
    public MpiBinding.Comm splitShared() {
        return create("MPI_Comm_split_type", out ->
                (int) LibMpi.COMM_SPLIT_TYPE.invokeExact(handle, LibMpi.COMM_TYPE_SHARED, rank, LibMpi.INFO_NULL, out));
    }

    @Override
    public void free() {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment inOut = confined.allocateFrom(ADDRESS, handle);
            FfmBinding.check("MPI_Comm_free", () -> (int) LibMpi.COMM_FREE.invokeExact(inOut));
        }
    }

    @Override
    public void abort(int exitCode) {
        FfmBinding.check("MPI_Abort", () -> (int) LibMpi.ABORT.invokeExact(handle, exitCode));
    }

    @Override
    public void allReduce(
            MemorySegment send, MemorySegment receive, int count, MpiBinding.Type type, MpiBinding.Op op) {
        int code;
        try {
            code = (int) LibMpi.ALLREDUCE.invokeExact(
                    inPlaceOr(send, receive), receive, count, LibMpi.type(type), LibMpi.op(op), handle);
        } catch (Throwable e) {
            throw FfmBinding.unexpected("MPI_Allreduce", e);
        }
        if (code != 0) {
            throw FfmBinding.failed("MPI_Allreduce", code);
        }
    }

    @Override
    public MpiBinding.Request startAllReduce(
            MemorySegment send, MemorySegment receive, int count, MpiBinding.Type type, MpiBinding.Op op) {
        MemorySegment first = inPlaceOr(send, receive);
        return start("MPI_Iallreduce", send, receive, out -> (int)
                LibMpi.IALLREDUCE.invokeExact(first, receive, count, LibMpi.type(type), LibMpi.op(op), handle, out));
    }

    @Override
    public MpiBinding.Request startBroadcast(MemorySegment buffer, int root) {
        int bytes = Math.toIntExact(buffer.byteSize());
        return start("MPI_Ibcast", buffer, buffer, out ->
                (int) LibMpi.IBCAST.invokeExact(buffer, bytes, LibMpi.type(MpiBinding.Type.BYTE), root, handle, out));
    }

    @Override
    public MpiBinding.Request startSend(MemorySegment buffer, int destination, int tag) {
        int bytes = Math.toIntExact(buffer.byteSize());
        return start("MPI_Isend", buffer, buffer, out -> (int) LibMpi.ISEND.invokeExact(
                buffer, bytes, LibMpi.type(MpiBinding.Type.BYTE), destination, tag, handle, out));
    }

    @Override
    public MpiBinding.Request startReceive(MemorySegment buffer, int source, int tag) {
        int bytes = Math.toIntExact(buffer.byteSize());
        return start("MPI_Irecv", buffer, buffer, out -> (int)
                LibMpi.IRECV.invokeExact(buffer, bytes, LibMpi.type(MpiBinding.Type.BYTE), source, tag, handle, out));
    }

    @Override
    public int pending() {
        return pending;
    }

    private static MemorySegment inPlaceOr(MemorySegment send, MemorySegment receive) {
        return send.address() == receive.address() ? LibMpi.IN_PLACE : send;
    }

    /** A call that writes a handle or an int to the segment it is given. */
    @FunctionalInterface
    private interface OutCall {
        @SuppressWarnings("checkstyle:IllegalThrows")
        int run(MemorySegment out) throws Throwable;
    }

    private static int query(String function, OutCall call) {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment out = confined.allocate(JAVA_INT);
            FfmBinding.check(function, () -> call.run(out));
            return out.get(JAVA_INT, 0);
        }
    }

    private static MpiBinding.Comm create(String function, OutCall call) {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment out = confined.allocate(ADDRESS);
            FfmBinding.check(function, () -> call.run(out));
            return new FfmComm(out.get(ADDRESS, 0));
        }
    }

    private MpiBinding.Request start(String function, MemorySegment send, MemorySegment receive, OutCall call) {
        if (freeSlots.isEmpty()) {
            addSlots();
        }
        MemorySegment slot = freeSlots.removeLast();
        int code;
        try {
            code = call.run(slot);
        } catch (Throwable e) {
            throw FfmBinding.unexpected(function, e);
        }
        if (code != 0) {
            freeSlots.add(slot);
            throw FfmBinding.failed(function, code);
        }
        return new FfmRequest(slot, send, receive);
    }

    /** A slot: the request's handle, the flag that MPI_Test writes, and the slot's own number. */
    private void addSlots() {
        MemorySegment block = arena.allocate((long) SLOT_BYTES * SLOTS_PER_BLOCK, 64);
        for (int i = 0; i < SLOTS_PER_BLOCK; i++) {
            MemorySegment slot = block.asSlice((long) i * SLOT_BYTES, SLOT_BYTES);
            slot.set(JAVA_INT, 12, slots++);
            freeSlots.add(slot);
            inFlight.add(null);
        }
    }

    private final class FfmRequest implements MpiBinding.Request {
        private final MemorySegment slot;

        @SuppressWarnings("UnusedVariable") // held reachable until MPI is done with it
        private final MemorySegment send;

        @SuppressWarnings("UnusedVariable") // held reachable until MPI is done with it
        private final MemorySegment receive;

        private boolean done;

        FfmRequest(MemorySegment slot, MemorySegment send, MemorySegment receive) {
            this.slot = slot;
            this.send = send;
            this.receive = receive;
            inFlight.set(slot.get(JAVA_INT, 12), this);
            pending++;
        }

        @Override
        public boolean test() {
            if (done) {
                return true;
            }
            int code;
            try {
                code = (int) LibMpi.TEST.invokeExact(slot, slot.asSlice(8), LibMpi.STATUS_IGNORE);
            } catch (Throwable e) {
                throw FfmBinding.unexpected("MPI_Test", e);
            }
            if (code != 0) {
                // MPI has freed the request: an error ends it like success does.
                release();
                throw FfmBinding.failed("MPI_Test", code);
            }
            if (slot.get(JAVA_INT, 8) != 0) {
                release();
            }
            return done;
        }

        @Override
        public void cancel() {
            if (!done) {
                FfmBinding.check("MPI_Cancel", () -> (int) LibMpi.CANCEL.invokeExact(slot));
                FfmBinding.check("MPI_Request_free", () -> (int) LibMpi.REQUEST_FREE.invokeExact(slot));
                release();
            }
        }

        private void release() {
            done = true;
            inFlight.set(slot.get(JAVA_INT, 12), null);
            freeSlots.add(slot);
            pending--;
        }
    }
}
