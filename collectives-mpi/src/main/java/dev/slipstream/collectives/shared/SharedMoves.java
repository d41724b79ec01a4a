package dev.slipstream.collectives.shared;

import dev.slipstream.collectives.Reducer;
import dev.slipstream.collectives.strategy.Parts;
import dev.slipstream.collectives.transport.Call;
import java.lang.foreign.MemorySegment;
import java.util.function.IntToLongFunction;

/**
 * How the bytes of a collective move once all ranks have met and called the same: <i>inline</i>, where they already lie in the
 * slots; <i>directly</i>, where all buffers lie in the shared file; or <i>staged</i>, chunk by chunk through the staging areas.
 *
 * <p>Every rank reduces its own part out of all ranks' memory, in rank order; so the bits are those of the local transport.
 */
final class SharedMoves {
    private static final long STAGE = SharedMemory.STAGE_BYTES;

    private final SharedMemory memory;
    private final int rank;
    private final int size;
    private final Runnable meet;
    private final Reducer reducer = new Reducer();
    private final MemorySegment[] sends;
    private final MemorySegment[] receives;
    private final MemorySegment[] own = new MemorySegment[1];

    SharedMoves(SharedMemory memory, int rank, int size, Runnable meet) {
        this.memory = memory;
        this.rank = rank;
        this.size = size;
        this.meet = meet;
        sends = new MemorySegment[size];
        receives = new MemorySegment[size];
    }

    /** Whether the payload travels with the header: a function of what all ranks agree on. */
    static boolean fitsInline(Call call, int size) {
        return switch (call.kind()) {
            case ALL_REDUCE, BROADCAST -> call.send().byteSize() <= SharedMemory.INLINE_BYTES;
            case REDUCE_SCATTER -> call.receive().byteSize() * size <= SharedMemory.INLINE_BYTES;
            case ALL_GATHER -> longest(call) <= SharedMemory.INLINE_BYTES;
            case BARRIER, SPLIT -> false;
        };
    }

    private static long longest(Call call) {
        long longest = call.elements();
        for (int i = 0; i < call.counts().size(); i++) {
            longest = Math.max(longest, call.counts().get(i));
        }
        return longest * call.type().bytes();
    }

    private static long length(Call call, int owner) {
        return call.counts().isEmpty()
                ? call.send().byteSize()
                : call.counts().get(owner) * call.type().bytes();
    }

    void publishInline(Call call, long operation) {
        long bytes = call.send().byteSize();
        MemorySegment.copy(call.send(), 0, memory.payload(rank, operation, bytes), 0, bytes);
    }

    void moveInline(Call call, long operation) {
        MemorySegment receive = call.receive();
        switch (call.kind()) {
            case ALL_REDUCE, REDUCE_SCATTER -> {
                for (int other = 0; other < size; other++) {
                    sends[other] = memory.payload(other, operation, call.send().byteSize());
                }
                boolean scattered = call.kind() == Call.Kind.REDUCE_SCATTER;
                reduceInto(receive, sends, scattered ? rank * receive.byteSize() : 0, call);
            }
            case BROADCAST -> receive.copyFrom(memory.payload(call.root(), operation, receive.byteSize()));
            case ALL_GATHER -> {
                long at = 0;
                for (int other = 0; other < size; other++) {
                    long bytes = length(call, other);
                    MemorySegment.copy(memory.payload(other, operation, bytes), 0, receive, at, bytes);
                    at += bytes;
                }
            }
            case BARRIER, SPLIT -> {}
        }
    }

    private void reduceInto(MemorySegment target, MemorySegment[] sources, long from, Call call) {
        own[0] = target;
        reducer.reduce(sources, from, own, 0, target.byteSize(), call.type(), call.reduction());
    }

    void allReduceDirectly(Call call, IntToLongFunction sendOffset, IntToLongFunction receiveOffset) {
        long bytes = call.send().byteSize();
        for (int other = 0; other < size; other++) {
            sends[other] = memory.at(sendOffset.applyAsLong(other), bytes);
            receives[other] = memory.at(receiveOffset.applyAsLong(other), bytes);
        }
        Parts parts = new Parts(bytes, size);
        long from = parts.start(rank);
        reducer.reduce(sends, from, receives, from, parts.length(rank), call.type(), call.reduction());
        meet.run();
    }

    /**
     * Chunk by chunk: in; meet; reduce the own part; meet; out. The next chunk goes in only after that second meeting, when
     * all have read this one; and results are overwritten only after the next first meeting, when all have copied them.
     */
    void allReduceStaged(Call call) {
        long bytes = call.send().byteSize();
        for (long done = 0; done < bytes; done += STAGE) {
            long chunk = Math.min(STAGE, bytes - done);
            MemorySegment.copy(call.send(), done, memory.staging(rank, 0, chunk), 0, chunk);
            meet.run();
            for (int other = 0; other < size; other++) {
                sends[other] = memory.staging(other, 0, chunk);
            }
            Parts parts = new Parts(chunk, size);
            own[0] = memory.staging(rank, 1, chunk);
            reducer.reduce(
                    sends,
                    parts.start(rank),
                    own,
                    parts.start(rank),
                    parts.length(rank),
                    call.type(),
                    call.reduction());
            meet.run();
            for (int other = 0; other < size; other++) {
                long at = parts.start(other);
                MemorySegment.copy(memory.staging(other, 1, chunk), at, call.receive(), done + at, parts.length(other));
            }
        }
    }

    void reduceScatterDirectly(Call call, IntToLongFunction sendOffset) {
        long shard = call.receive().byteSize();
        for (int other = 0; other < size; other++) {
            sends[other] = memory.at(sendOffset.applyAsLong(other), shard * size);
        }
        reduceInto(call.receive(), sends, rank * shard, call);
        meet.run();
    }

    /** The two halves of the staging area are taken in turn, so one meeting per chunk is enough. */
    void reduceScatterStaged(Call call) {
        long shard = call.receive().byteSize();
        long piece = STAGE / size / 64 * 64;
        int half = 0;
        for (long done = 0; done < shard; done += piece) {
            long chunk = Math.min(piece, shard - done);
            MemorySegment stage = memory.staging(rank, half, STAGE);
            for (int part = 0; part < size; part++) {
                MemorySegment.copy(call.send(), part * shard + done, stage, part * piece, chunk);
            }
            meet.run();
            for (int other = 0; other < size; other++) {
                sends[other] = memory.staging(other, half, STAGE);
            }
            reduceInto(call.receive().asSlice(done, chunk), sends, rank * piece, call);
            half ^= 1;
        }
    }

    void gatherDirectly(Call call, IntToLongFunction sendOffset) {
        long at = 0;
        for (int other = 0; other < size; other++) {
            long bytes = length(call, other);
            MemorySegment.copy(memory.at(sendOffset.applyAsLong(other), bytes), 0, call.receive(), at, bytes);
            at += bytes;
        }
        meet.run();
    }

    void gatherStaged(Call call) {
        long longest = longest(call);
        int half = 0;
        for (long done = 0; done < longest; done += STAGE) {
            long mine = chunk(call.send().byteSize(), done);
            MemorySegment.copy(
                    call.send(), Math.min(done, call.send().byteSize()), memory.staging(rank, half, mine), 0, mine);
            meet.run();
            long at = 0;
            for (int other = 0; other < size; other++) {
                long bytes = length(call, other);
                long chunk = chunk(bytes, done);
                MemorySegment.copy(
                        memory.staging(other, half, chunk), 0, call.receive(), at + Math.min(done, bytes), chunk);
                at += bytes;
            }
            half ^= 1;
        }
    }

    private static long chunk(long bytes, long done) {
        return Math.max(0, Math.min(STAGE, bytes - done));
    }

    void broadcastDirectly(Call call, long rootOffset) {
        long bytes = call.receive().byteSize();
        if (rank != call.root()) {
            MemorySegment.copy(memory.at(rootOffset, bytes), 0, call.receive(), 0, bytes);
        }
        meet.run();
    }

    void broadcastStaged(Call call) {
        long bytes = call.receive().byteSize();
        int half = 0;
        for (long done = 0; done < bytes; done += STAGE) {
            long chunk = Math.min(STAGE, bytes - done);
            MemorySegment stage = memory.staging(call.root(), half, chunk);
            if (rank == call.root()) {
                MemorySegment.copy(call.send(), done, stage, 0, chunk);
            }
            meet.run();
            if (rank != call.root()) {
                MemorySegment.copy(stage, 0, call.receive(), done, chunk);
            }
            half ^= 1;
        }
    }
}
