package dev.slipstream.collectives.strategy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Wires between threads, for tests: a message is only taken from its buffer when the receiver asks for it, and its buffer is
 * overwritten if the sender reuses it too early; messages of the wrong length are an error.
 */
final class ThreadWires {
    private final List<Queue<Message>> queues = new ArrayList<>();
    private final int size;

    private static final class Message {
        final MemorySegment buffer;
        volatile boolean taken;

        Message(MemorySegment buffer) {
            this.buffer = buffer;
        }
    }

    interface Body {
        void run(Wire wire, Arena arena) throws Exception;
    }

    private ThreadWires(int size) {
        this.size = size;
        for (int i = 0; i < size * size; i++) {
            queues.add(new ConcurrentLinkedQueue<>());
        }
    }

    static void run(int ranks, Body body) throws Exception {
        ThreadWires wires = new ThreadWires(ranks);
        List<Thread> threads = new ArrayList<>();
        Throwable[] failures = new Throwable[ranks];
        try (Arena arena = Arena.ofShared()) {
            for (int rank = 0; rank < ranks; rank++) {
                int self = rank;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        body.run(wires.wire(self), arena);
                    } catch (Throwable e) {
                        failures[self] = e;
                    }
                }));
            }
            for (Thread thread : threads) {
                if (!thread.join(Duration.ofSeconds(30))) {
                    throw new AssertionError("hangs at " + List.of(thread.getStackTrace()));
                }
            }
        }
        for (Throwable failure : failures) {
            if (failure != null) {
                throw new AssertionError(failure);
            }
        }
        for (Queue<Message> queue : wires.queues) {
            if (!queue.isEmpty()) {
                throw new AssertionError("a message was never received");
            }
        }
    }

    private Wire wire(int rank) {
        return new Wire() {
            /** The order in which receives from a rank were posted. */
            private final List<Queue<Object>> posted = new ArrayList<>();

            {
                for (int i = 0; i < size; i++) {
                    posted.add(new ConcurrentLinkedQueue<>());
                }
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
            public Transfer send(MemorySegment buffer, int destination) {
                if (buffer.byteSize() == 0) {
                    return Transfer.NONE;
                }
                Message message = new Message(buffer);
                queues.get(rank * size + destination).add(message);
                return () -> message.taken;
            }

            @Override
            public Transfer receive(MemorySegment buffer, int source) {
                if (buffer.byteSize() == 0) {
                    return Transfer.NONE;
                }
                Queue<Message> queue = queues.get(source * size + rank);
                Queue<Object> turns = posted.get(source);
                Object turn = new Object();
                turns.add(turn);
                return new Transfer() {
                    private boolean done;

                    @Override
                    public boolean isDone() {
                        if (!done && turns.peek() == turn && queue.peek() != null) {
                            Message message = queue.remove();
                            turns.remove();
                            if (message.buffer.byteSize() != buffer.byteSize()) {
                                throw new AssertionError(message.buffer.byteSize() + " bytes for " + buffer.byteSize());
                            }
                            buffer.copyFrom(message.buffer);
                            message.taken = true;
                            done = true;
                        }
                        return done;
                    }
                };
            }

            @Override
            public void await(Transfer transfer) {
                long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
                while (!transfer.isDone()) {
                    if (System.nanoTime() > deadline) {
                        throw new AssertionError("rank " + rank + " waits for ever");
                    }
                    Thread.yield();
                }
            }
        };
    }
}
