package dev.slipstream.scheduler;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.slipstream.collectives.CollectiveException;
import dev.slipstream.collectives.CollectiveHandle;
import dev.slipstream.collectives.CollectiveMismatchException;
import dev.slipstream.collectives.CollectiveTimeoutException;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorAbortedException;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A group of ranks with one lock, as plain as can be: the last rank to arrive at an operation executes it for all. A
 * reference for what a transport must do, and a place to inject faults.
 */
final class FakeGroup {
    private final int ranks;
    private final Map<Long, Operation> operations = new HashMap<>();
    private final Map<Long, FakeGroup> splits = new HashMap<>();
    private String ended = "";

    private FakeGroup(int ranks) {
        this.ranks = ranks;
    }

    static List<Communicator> create(int ranks) {
        return new FakeGroup(ranks).ends();
    }

    private List<Communicator> ends() {
        List<Communicator> ends = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            ends.add(new End(rank));
        }
        return ends;
    }

    private interface Body {
        void run(MemorySegment[] sends, MemorySegment[] receives);
    }

    private final class Operation implements CollectiveHandle {
        final String what;
        final MemorySegment[] sends = new MemorySegment[ranks];
        final MemorySegment[] receives = new MemorySegment[ranks];
        int arrived;
        boolean done;

        Operation(String what) {
            this.what = what;
        }

        @Override
        public boolean isDone() {
            synchronized (FakeGroup.this) {
                return done || !ended.isEmpty();
            }
        }

        @Override
        public void await(Duration timeout) {
            long deadline = System.nanoTime() + timeout.toNanos();
            synchronized (FakeGroup.this) {
                while (!done) {
                    requireAlive();
                    long left = (deadline - System.nanoTime()) / 1_000_000 + 1;
                    if (deadline - System.nanoTime() <= 0) {
                        List<Integer> missing = new ArrayList<>();
                        for (int rank = 0; rank < ranks; rank++) {
                            if (sends[rank] == null) {
                                missing.add(rank);
                            }
                        }
                        end("ranks " + missing + " did not arrive at " + what + " within " + timeout);
                        throw new CollectiveTimeoutException(ended, missing);
                    }
                    try {
                        FakeGroup.this.wait(left);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }

        @Override
        public void await() {
            await(Duration.ofSeconds(20));
        }
    }

    private void requireAlive() {
        if (!ended.isEmpty()) {
            throw new CommunicatorAbortedException(ended);
        }
    }

    private void end(String reason) {
        if (ended.isEmpty()) {
            ended = reason;
            notifyAll();
        }
    }

    private final class End implements Communicator {
        private final int rank;
        private final Arena arena = Arena.ofShared();
        private long calls;
        private boolean closed;

        End(int rank) {
            this.rank = rank;
        }

        private Operation join(String what, MemorySegment send, MemorySegment receive, Body body) {
            synchronized (FakeGroup.this) {
                requireAlive();
                if (closed) {
                    throw new CommunicatorAbortedException("closed");
                }
                Operation operation = operations.computeIfAbsent(calls++, n -> new Operation(what));
                if (!operation.what.equals(what)) {
                    end("rank " + rank + " called " + what + " where others called " + operation.what);
                    throw new CollectiveMismatchException(ended);
                }
                operation.sends[rank] = send;
                operation.receives[rank] = receive;
                if (++operation.arrived == ranks) {
                    body.run(operation.sends, operation.receives);
                    operation.done = true;
                    operations.remove(calls - 1);
                    FakeGroup.this.notifyAll();
                }
                return operation;
            }
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int size() {
            return ranks;
        }

        @Override
        public String transport() {
            return "fake";
        }

        @Override
        public MemorySegment allocate(long bytes) {
            return arena.allocate(bytes, 64);
        }

        @Override
        public void allReduce(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
            allReduceAsync(send, receive, type, reduction).await();
        }

        @Override
        public CollectiveHandle allReduceAsync(
                MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
            String what = "allReduce of " + send.byteSize() + " bytes of " + type + " by " + reduction;
            return join(what, send, receive, (sends, receives) -> reduce(sends, receives, type, reduction));
        }

        @Override
        public void broadcast(MemorySegment buffer, ElementType type, int root) {
            join("broadcast of " + buffer.byteSize(), buffer, buffer, (sends, receives) -> {
                        for (MemorySegment receive : receives) {
                            receive.copyFrom(sends[root]);
                        }
                    })
                    .await();
        }

        @Override
        public void allGather(MemorySegment send, MemorySegment receive, ElementType type) {
            allGatherAsync(send, receive, type).await();
        }

        @Override
        public void allGather(MemorySegment send, MemorySegment receive, ElementType type, long[] counts) {
            join("allGather of unequal lengths", send, receive, FakeGroup::gather)
                    .await();
        }

        @Override
        public CollectiveHandle allGatherAsync(MemorySegment send, MemorySegment receive, ElementType type) {
            return join("allGather of " + send.byteSize(), send, receive, FakeGroup::gather);
        }

        @Override
        public void reduceScatter(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void barrier() {
            join("barrier", MemorySegment.NULL, MemorySegment.NULL, (sends, receives) -> {})
                    .await();
        }

        @Override
        public void send(MemorySegment buffer, ElementType type, int destination) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void receive(MemorySegment buffer, ElementType type, int source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Communicator split(int color, int key) {
            long call;
            synchronized (FakeGroup.this) {
                call = calls;
                splits.computeIfAbsent(call, n -> new FakeGroup(ranks));
            }
            barrier();
            synchronized (FakeGroup.this) {
                return splits.get(call).ends().get(rank);
            }
        }

        @Override
        public void abort(String reason) {
            synchronized (FakeGroup.this) {
                end("rank " + rank + " aborted: " + reason);
            }
        }

        @Override
        public void close() {
            synchronized (FakeGroup.this) {
                if (closed) {
                    return;
                }
                closed = true;
                end("rank " + rank + " has closed its end");
            }
            arena.close();
        }
    }

    private static void gather(MemorySegment[] sends, MemorySegment[] receives) {
        for (MemorySegment receive : receives) {
            long offset = 0;
            for (MemorySegment send : sends) {
                receive.asSlice(offset, send.byteSize()).copyFrom(send);
                offset += send.byteSize();
            }
        }
    }

    private static void reduce(MemorySegment[] sends, MemorySegment[] receives, ElementType type, Reduction reduction) {
        for (long at = 0; at < sends[0].byteSize(); at += type.bytes()) {
            switch (type) {
                case FLOAT32, FLOAT16, BFLOAT16 -> {
                    float sum = 0;
                    for (int rank = 0; rank < sends.length; rank++) {
                        float value = getFloat(sends[rank], type, at);
                        sum = rank == 0 ? value : sum + value;
                    }
                    if (reduction == Reduction.AVERAGE) {
                        sum *= 1f / sends.length;
                    }
                    for (MemorySegment receive : receives) {
                        setFloat(receive, type, at, sum);
                    }
                }
                case FLOAT64 -> {
                    double sum = 0;
                    for (int rank = 0; rank < sends.length; rank++) {
                        double value = sends[rank].get(JAVA_DOUBLE, at);
                        sum = rank == 0 ? value : sum + value;
                    }
                    if (reduction == Reduction.AVERAGE) {
                        sum *= 1.0 / sends.length;
                    }
                    for (MemorySegment receive : receives) {
                        receive.set(JAVA_DOUBLE, at, sum);
                    }
                }
                case INT32 -> {
                    int result = sends[0].get(JAVA_INT, at);
                    for (int rank = 1; rank < sends.length; rank++) {
                        int value = sends[rank].get(JAVA_INT, at);
                        result = switch (reduction) {
                            case SUM -> Math.addExact(result, value);
                            case MIN -> Math.min(result, value);
                            case MAX -> Math.max(result, value);
                            case BAND -> result & value;
                            case BOR -> result | value;
                            case AVERAGE -> throw new CollectiveException("no average of integers");
                        };
                    }
                    for (MemorySegment receive : receives) {
                        receive.set(JAVA_INT, at, result);
                    }
                }
                case INT64, UINT8 -> throw new UnsupportedOperationException();
            }
        }
    }

    private static float getFloat(MemorySegment segment, ElementType type, long at) {
        return switch (type) {
            case FLOAT16 -> Float.float16ToFloat(segment.get(JAVA_SHORT, at));
            case BFLOAT16 -> Float.intBitsToFloat(segment.get(JAVA_SHORT, at) << 16);
            default -> segment.get(JAVA_FLOAT, at);
        };
    }

    private static void setFloat(MemorySegment segment, ElementType type, long at, float value) {
        switch (type) {
            case FLOAT16 -> segment.set(JAVA_SHORT, at, Float.floatToFloat16(value));
            case BFLOAT16 -> segment.set(JAVA_SHORT, at, bfloat16(value));
            default -> segment.set(JAVA_FLOAT, at, value);
        }
    }

    static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x40);
        }
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }
}
