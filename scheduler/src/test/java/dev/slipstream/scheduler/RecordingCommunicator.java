package dev.slipstream.scheduler;

import dev.slipstream.collectives.CollectiveHandle;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorStats;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Watches what a rank launches: every asynchronous operation in order, and how many are under way. A gate may hold back
 * completions, as a slow link would.
 */
class RecordingCommunicator implements Communicator {
    /** Shared by a communicator and those split off it. */
    static final class Log {
        final List<String> launches = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger underWay = new AtomicInteger();
        final AtomicInteger mostUnderWay = new AtomicInteger();
        volatile CountDownLatch gate = new CountDownLatch(0);
    }

    private final Communicator delegate;
    final Log log;

    RecordingCommunicator(Communicator delegate) {
        this(delegate, new Log());
    }

    private RecordingCommunicator(Communicator delegate, Log log) {
        this.delegate = delegate;
        this.log = log;
    }

    static List<RecordingCommunicator> all(List<Communicator> ranks) {
        return ranks.stream().map(RecordingCommunicator::new).toList();
    }

    private CollectiveHandle watch(String what, CollectiveHandle handle) {
        // Counted first: whoever sees the launch also sees it under way.
        int now = log.underWay.incrementAndGet();
        log.mostUnderWay.accumulateAndGet(now, Math::max);
        log.launches.add(what);
        CountDownLatch gate = log.gate;
        AtomicBoolean ended = new AtomicBoolean();
        return new CollectiveHandle() {
            @Override
            public boolean isDone() {
                return gate.getCount() == 0 && handle.isDone();
            }

            @Override
            public void await(Duration timeout) {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                handle.await(timeout);
                if (ended.compareAndSet(false, true)) {
                    log.underWay.decrementAndGet();
                }
            }

            @Override
            public void await() {
                await(Duration.ofMinutes(5));
            }
        };
    }

    @Override
    public CommunicatorStats stats() {
        return delegate.stats();
    }

    @Override
    public CollectiveHandle allReduceAsync(
            MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        return watch(
                "allReduce " + send.byteSize() + " " + type, delegate.allReduceAsync(send, receive, type, reduction));
    }

    @Override
    public CollectiveHandle allGatherAsync(MemorySegment send, MemorySegment receive, ElementType type) {
        return watch("allGather " + send.byteSize() + " " + type, delegate.allGatherAsync(send, receive, type));
    }

    @Override
    public Communicator split(int color, int key) {
        return new RecordingCommunicator(delegate.split(color, key), log);
    }

    @Override
    public int rank() {
        return delegate.rank();
    }

    @Override
    public int size() {
        return delegate.size();
    }

    @Override
    public String transport() {
        return delegate.transport();
    }

    @Override
    public MemorySegment allocate(long bytes) {
        return delegate.allocate(bytes);
    }

    @Override
    public void allReduce(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        delegate.allReduce(send, receive, type, reduction);
    }

    @Override
    public void broadcast(MemorySegment buffer, ElementType type, int root) {
        delegate.broadcast(buffer, type, root);
    }

    @Override
    public void allGather(MemorySegment send, MemorySegment receive, ElementType type) {
        delegate.allGather(send, receive, type);
    }

    @Override
    public void allGather(MemorySegment send, MemorySegment receive, ElementType type, long[] counts) {
        delegate.allGather(send, receive, type, counts);
    }

    @Override
    public void reduceScatter(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        delegate.reduceScatter(send, receive, type, reduction);
    }

    @Override
    public void barrier() {
        delegate.barrier();
    }

    @Override
    public void send(MemorySegment buffer, ElementType type, int destination) {
        delegate.send(buffer, type, destination);
    }

    @Override
    public void receive(MemorySegment buffer, ElementType type, int source) {
        delegate.receive(buffer, type, source);
    }

    @Override
    public void abort(String reason) {
        delegate.abort(reason);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
