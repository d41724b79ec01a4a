package dev.slipstream.collectives.mpi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.slipstream.collectives.CollectiveException;
import dev.slipstream.collectives.mpi.MpiBinding.Comm;
import dev.slipstream.collectives.mpi.MpiBinding.Op;
import dev.slipstream.collectives.mpi.MpiBinding.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Runs on every rank: checks each call of an {@link MpiBinding} against what MPI promises. */
final class BindingWorker {
    private static final int[] LENGTHS = {0, 1, 7, 1023, 1024, 1025, 100_003};

    private final Comm comm;
    private final Arena arena = Arena.ofAuto();
    private final List<Request> abandoned = new ArrayList<>();

    private BindingWorker(Comm comm) {
        this.comm = comm;
    }

    public static void main(String[] args) {
        MpiProcess process = MpiProcess.get();
        expect(
                process.binding().name().equals(args[0]),
                "binding " + process.binding().name());
        expect(
                process.binding().libraryVersion().startsWith("Open MPI v"),
                process.binding().libraryVersion());
        Comm comm = process.world().dup();
        BindingWorker worker = new BindingWorker(comm);
        expect(comm.size() == Integer.parseInt(args[1]), "size " + comm.size());
        for (int length : LENGTHS) {
            worker.sums(length);
            worker.broadcasts(length);
            worker.ringOfMessages(length);
        }
        worker.extremes();
        worker.sumsInPieces();
        worker.splits();
        worker.cancelsReceives();
        worker.keepsBuffersOfPendingRequests();
        worker.leaksNothing();
        worker.errorsCarryMpisMessage();
        expect(comm.pending() == 0, comm.pending() + " requests left");
        comm.free();
        System.out.println("rank " + process.world().rank() + " done");
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    private static void finish(Request request) {
        while (!request.test()) {
            Thread.onSpinWait();
        }
        expect(request.test(), "a complete request stays complete");
    }

    private static float value(int rank, int i) {
        return (rank + 1) * 0.5f + i % 97;
    }

    private void sums(int length) {
        MemorySegment send = arena.allocate(JAVA_FLOAT, Math.max(1, length)).asSlice(0, 4L * length);
        MemorySegment receive = arena.allocate(JAVA_FLOAT, Math.max(1, length)).asSlice(0, 4L * length);
        for (int variant = 0; variant < 4; variant++) {
            for (int i = 0; i < length; i++) {
                send.setAtIndex(JAVA_FLOAT, i, value(comm.rank(), i));
                receive.setAtIndex(JAVA_FLOAT, i, -1);
            }
            MemorySegment result = variant % 2 == 0 ? receive : send;
            if (variant < 2) {
                comm.allReduce(send, result, length, MpiBinding.Type.FLOAT, Op.SUM);
            } else {
                finish(comm.startAllReduce(send, result, length, MpiBinding.Type.FLOAT, Op.SUM));
            }
            for (int i = 0; i < length; i++) {
                double sum = 0;
                for (int rank = 0; rank < comm.size(); rank++) {
                    sum += value(rank, i);
                }
                // Halves and small integers: exact in float32 in any order.
                expect(result.getAtIndex(JAVA_FLOAT, i) == (float) sum, "sum of " + length + " at " + i);
            }
        }
    }

    private void extremes() {
        int rank = comm.rank();
        int size = comm.size();
        MemorySegment doubles = arena.allocateFrom(JAVA_DOUBLE, rank, -rank);
        comm.allReduce(doubles, doubles, 2, MpiBinding.Type.DOUBLE, Op.MAX);
        expect(doubles.get(JAVA_DOUBLE, 0) == size - 1 && doubles.get(JAVA_DOUBLE, 8) == 0, "double max");
        MemorySegment ints = arena.allocateFrom(JAVA_INT, rank, -rank);
        comm.allReduce(ints, ints, 2, MpiBinding.Type.INT32, Op.MIN);
        expect(ints.get(JAVA_INT, 0) == 0 && ints.get(JAVA_INT, 4) == 1 - size, "int min");
        MemorySegment longs = arena.allocateFrom(JAVA_LONG, 1L << 40 | rank);
        comm.allReduce(longs, longs, 1, MpiBinding.Type.INT64, Op.BAND);
        expect(longs.get(JAVA_LONG, 0) == 1L << 40, "long and");
        MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, (byte) (1 << rank));
        comm.allReduce(bytes, bytes, 1, MpiBinding.Type.BYTE, Op.BOR);
        expect(bytes.get(JAVA_BYTE, 0) == (byte) ((1 << size) - 1), "byte or");
    }

    private void sumsInPieces() {
        int length = 1001;
        MemorySegment buffer = arena.allocate(JAVA_LONG, length);
        for (int i = 0; i < length; i++) {
            buffer.setAtIndex(JAVA_LONG, i, i + (long) comm.rank());
        }
        Split.run(buffer.byteSize(), 8 * 64, (offset, bytes) -> {
            MemorySegment piece = buffer.asSlice(offset, bytes);
            comm.allReduce(piece, piece, (int) (bytes / 8), MpiBinding.Type.INT64, Op.SUM);
        });
        int size = comm.size();
        for (int i = 0; i < length; i++) {
            expect(buffer.getAtIndex(JAVA_LONG, i) == (long) size * i + size * (size - 1) / 2, "piecewise sum at " + i);
        }
    }

    private void broadcasts(int length) {
        int root = length % comm.size();
        MemorySegment buffer = arena.allocate(Math.max(1, length)).asSlice(0, length);
        buffer.fill((byte) (comm.rank() + 1));
        finish(comm.startBroadcast(buffer, root));
        for (int i = 0; i < length; i++) {
            expect(buffer.get(JAVA_BYTE, i) == root + 1, "broadcast of " + length + " at " + i);
        }
    }

    private void ringOfMessages(int length) {
        int next = (comm.rank() + 1) % comm.size();
        int previous = (comm.rank() + comm.size() - 1) % comm.size();
        MemorySegment out = arena.allocate(Math.max(1, length)).asSlice(0, length);
        MemorySegment in = arena.allocate(Math.max(1, length)).asSlice(0, length);
        out.fill((byte) comm.rank());
        Request receive = comm.startReceive(in, previous, 5);
        Request send = comm.startSend(out, next, 5);
        finish(send);
        finish(receive);
        for (int i = 0; i < length; i++) {
            expect(in.get(JAVA_BYTE, i) == previous, "message of " + length + " at " + i);
        }
    }

    private void splits() {
        Comm half = comm.split(comm.rank() % 2, -comm.rank());
        expect(half.size() == (comm.size() + 1 - comm.rank() % 2) / 2, "half of size " + half.size());
        expect(half.rank() == half.size() - 1 - comm.rank() / 2, "reversed rank " + half.rank());
        half.free();
        Comm host = comm.splitShared();
        expect(host.size() == comm.size() && host.rank() == comm.rank(), "one host holds all");
        host.free();
    }

    private void cancelsReceives() {
        MemorySegment buffer = arena.allocate(64);
        comm.startReceive(buffer, comm.rank(), 77).cancel();
        expect(comm.pending() == 0, "a cancelled receive is still pending");
    }

    private void keepsBuffersOfPendingRequests() {
        int length = 1 << 16;
        int peer = comm.size() - 1 - comm.rank();
        MemorySegment in = arena.allocate(length);
        if (peer != comm.rank()) {
            // Nobody but the binding holds what is sent: a rendezvous message leaves only once the peer receives it.
            startSendOfGarbage(length, peer);
            for (int i = 0; i < 3; i++) {
                System.gc();
                Arena.ofAuto().allocate(length).fill((byte) 99);
            }
            comm.allReduce(arena.allocate(4), arena.allocate(4), 1, MpiBinding.Type.INT32, Op.SUM);
            finish(comm.startReceive(in, peer, 9));
            for (int i = 0; i < length; i++) {
                expect(in.get(JAVA_BYTE, i) == peer + 40, "byte " + i + " of a pending send");
            }
        } else {
            comm.allReduce(arena.allocate(4), arena.allocate(4), 1, MpiBinding.Type.INT32, Op.SUM);
        }
        MemorySegment one = arena.allocate(4);
        finish(comm.startAllReduce(one, one, 1, MpiBinding.Type.INT32, Op.SUM));
        abandoned.forEach(BindingWorker::finish);
        abandoned.clear();
    }

    private void startSendOfGarbage(int length, int peer) {
        MemorySegment out = Arena.ofAuto().allocate(length);
        out.fill((byte) (comm.rank() + 40));
        abandoned.add(comm.startSend(out, peer, 9));
    }

    private void leaksNothing() {
        MemorySegment one = arena.allocate(4);
        for (int i = 0; i < 2000; i++) {
            comm.dup().free();
            if (i % 100 == 0) {
                comm.split(0, 0).free();
            }
        }
        for (int i = 0; i < 100_000 / comm.size(); i++) {
            finish(comm.startAllReduce(one, one, 1, MpiBinding.Type.INT32, Op.SUM));
            expect(comm.pending() == 0, "pending after completion");
        }
    }

    private void errorsCarryMpisMessage() {
        MemorySegment buffer = arena.allocate(8);
        try {
            comm.startSend(buffer, comm.size() + 3, 0);
            throw new AssertionError("a message to a rank that doesn't exist was sent");
        } catch (CollectiveException e) {
            String message = String.valueOf(e.getMessage());
            expect(message.contains("MPI_ERR_RANK: invalid rank"), message);
        }
        expect(comm.pending() == 0, "a failed call left a request");
    }
}
