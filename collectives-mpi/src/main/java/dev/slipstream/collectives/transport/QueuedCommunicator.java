package dev.slipstream.collectives.transport;

import dev.slipstream.collectives.CollectiveHandle;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorAbortedException;
import dev.slipstream.collectives.CommunicatorStats;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.collectives.Strategy;
import dev.slipstream.collectives.strategy.StrategyFigure;
import dev.slipstream.collectives.transport.Call.Kind;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link Communicator} that is the same on every transport: arguments are checked before anything of a call
 * leaves this rank, and operations run one after another in the order of the calls, whoever calls.
 */
public abstract class QueuedCommunicator implements Communicator {
    private static final MemorySegment NOTHING = MemorySegment.NULL;

    private final int rank;
    private final int size;
    private final OperationQueue queue;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Counters counters = new Counters();

    @SuppressWarnings("this-escape") // the queue aborts only once operations run
    protected QueuedCommunicator(int rank, int size) {
        this.rank = rank;
        this.size = size;
        queue = new OperationQueue("slipstream-comm-rank-" + rank, reason -> abort(reason + whoIsBehind()));
    }

    /** Runs one operation to its end; never called twice at a time. */
    protected abstract void execute(Call call);

    /** Runs a split to its end; never called beside another operation. */
    protected abstract Communicator executeSplit(int color, int key);

    /** Tells the other ranks that this one leaves; operations under way end by {@link #throwIfClosed()}. */
    protected abstract void leave();

    /** Which ranks have not arrived where this one waits, as the end of a sentence. */
    protected abstract String whoIsBehind();

    /** Frees what the communicator holds, once no operation is under way any more. */
    protected abstract void release();

    /** A call that meets all ranks and moves nothing. */
    protected static Call meeting(Kind kind) {
        return Call.of(kind, NOTHING, NOTHING, ElementType.UINT8, Reduction.SUM, 0, 0);
    }

    @Override
    public final int rank() {
        return rank;
    }

    @Override
    public final int size() {
        return size;
    }

    @Override
    public void allReduce(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        run(allReduceCall(send, receive, type, reduction));
    }

    @Override
    public CollectiveHandle allReduceAsync(
            MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        return submit(allReduceCall(send, receive, type, reduction));
    }

    private static Call allReduceCall(
            MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        Arguments.allReduce(send, receive, type, reduction);
        return Call.of(Kind.ALL_REDUCE, send, receive, type, reduction, send.byteSize() / type.bytes(), 0);
    }

    @Override
    public void broadcast(MemorySegment buffer, ElementType type, int root) {
        Arguments.writable("broadcast", buffer, type);
        Arguments.rank("root", root, size);
        run(Call.of(Kind.BROADCAST, buffer, buffer, type, Reduction.SUM, buffer.byteSize() / type.bytes(), root));
    }

    @Override
    public void allGather(MemorySegment send, MemorySegment receive, ElementType type) {
        run(equalGather(send, receive, type));
    }

    @Override
    public CollectiveHandle allGatherAsync(MemorySegment send, MemorySegment receive, ElementType type) {
        return submit(equalGather(send, receive, type));
    }

    private Call equalGather(MemorySegment send, MemorySegment receive, ElementType type) {
        long count = send.byteSize() / type.bytes();
        long[] counts = new long[size];
        Arrays.fill(counts, count);
        Arguments.allGather(send, receive, type, counts, rank, size);
        return Call.of(Kind.ALL_GATHER, send, receive, type, Reduction.SUM, count, 0);
    }

    @Override
    public void allGather(MemorySegment send, MemorySegment receive, ElementType type, long[] counts) {
        Arguments.allGather(send, receive, type, counts, rank, size);
        var boxed = Arrays.stream(counts).boxed().toList();
        run(new Call(Kind.ALL_GATHER, type, Reduction.SUM, 0, 0, boxed, send, receive));
    }

    @Override
    public void reduceScatter(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        Arguments.reduceScatter(send, receive, type, reduction, size);
        run(Call.of(Kind.REDUCE_SCATTER, send, receive, type, reduction, send.byteSize() / type.bytes(), 0));
    }

    @Override
    public void barrier() {
        run(meeting(Kind.BARRIER));
    }

    @Override
    public Communicator split(int color, int key) {
        @Nullable Communicator[] result = new Communicator[1];
        queue.run(() -> result[0] = executeSplit(color, key));
        Communicator child = result[0];
        if (child == null) {
            throw new IllegalStateException("a split returned no communicator");
        }
        return child;
    }

    private void run(Call call) {
        queue.run(() -> executeCounted(call));
    }

    private CollectiveHandle submit(Call call) {
        return queue.submit(() -> executeCounted(call));
    }

    private void executeCounted(Call call) {
        long start = System.nanoTime();
        execute(call);
        counters.add(call, size, System.nanoTime() - start);
    }

    /** How the last all-reduce moved the bytes, or the first one will. For any thread. */
    protected abstract Strategy strategyInUse();

    /** What {@link Strategy#AUTO} has measured. For any thread. */
    protected List<StrategyFigure> figures() {
        return List.of();
    }

    @Override
    public CommunicatorStats stats() {
        return counters.stats(strategyInUse(), queue.pendingOperations(), figures());
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            leave();
            queue.close();
            release();
        }
    }

    protected final boolean isClosed() {
        return closed.get();
    }

    protected final void throwIfClosed() {
        if (closed.get()) {
            throw new CommunicatorAbortedException("Rank " + rank + "'s communicator is closed.");
        }
    }
}
