package dev.slipstream.collectives.transport;

import dev.slipstream.collectives.CollectiveHandle;
import dev.slipstream.collectives.CommunicatorAbortedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one rank's operations one after another, in the order in which they were called, whoever calls: that order must be
 * the same on every rank. Blocking operations run on the caller's thread while nothing asynchronous is pending; the
 * others run on one thread that starts with the first of them.
 */
final class OperationQueue implements AutoCloseable {
    private static final long CLOSE_MILLIS = 2_000;

    private final String threadName;
    private final Consumer<String> abort;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition submitted = lock.newCondition();
    private final ArrayDeque<Operation> pending = new ArrayDeque<>();
    private final AtomicInteger unfinished = new AtomicInteger();
    private @Nullable Thread worker;
    private boolean closed;

    /**
     * @param threadName of the submission thread
     * @param abort ends the group, given the reason: called when a caller's own bound on a wait passes
     */
    OperationQueue(String threadName, Consumer<String> abort) {
        this.threadName = threadName;
        this.abort = abort;
    }

    /** Runs an operation and returns when it is done. */
    void run(Runnable action) {
        Operation operation;
        lock.lock();
        try {
            if (pending.isEmpty()) {
                action.run();
                return;
            }
            operation = enqueue(action);
        } finally {
            lock.unlock();
        }
        operation.await();
    }

    /** Queues an operation and returns at once. */
    CollectiveHandle submit(Runnable action) {
        lock.lock();
        try {
            return enqueue(action);
        } finally {
            lock.unlock();
        }
    }

    private Operation enqueue(Runnable action) {
        Operation operation = new Operation(action);
        if (closed) {
            operation.complete(new CommunicatorAbortedException("The communicator is closed."));
            return operation;
        }
        if (worker == null) {
            worker = Thread.ofPlatform().daemon().name(threadName).start(this::work);
        }
        pending.addLast(operation);
        unfinished.incrementAndGet();
        submitted.signal();
        return operation;
    }

    private void work() {
        while (true) {
            Operation operation;
            lock.lock();
            try {
                while (pending.isEmpty()) {
                    if (closed) {
                        return;
                    }
                    submitted.awaitUninterruptibly();
                }
                // It stays at the head while it runs: a blocking call must not overtake it.
                operation = pending.getFirst();
            } finally {
                lock.unlock();
            }
            Throwable failure = null;
            try {
                operation.action.run();
            } catch (Throwable e) {
                failure = e;
            }
            lock.lock();
            try {
                pending.removeFirst();
                unfinished.decrementAndGet();
            } finally {
                lock.unlock();
            }
            operation.complete(failure);
        }
    }

    /** Submitted operations that have not ended. Never waits. */
    int pendingOperations() {
        return unfinished.get();
    }

    /** Ends the thread. Operations still queued run first: the group has ended for this rank, so they fail at once. */
    @Override
    public void close() {
        Thread thread;
        lock.lock();
        try {
            closed = true;
            submitted.signal();
            thread = worker;
        } finally {
            lock.unlock();
        }
        if (thread == null || thread == Thread.currentThread()) {
            return;
        }
        boolean interrupted = false;
        long deadline = System.nanoTime() + Duration.ofMillis(CLOSE_MILLIS).toNanos();
        while (thread.isAlive() && System.nanoTime() < deadline) {
            try {
                thread.join(Duration.ofMillis(CLOSE_MILLIS));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Operation implements CollectiveHandle {
        private static final int SPINS = 1_000;

        private final Runnable action;
        private volatile boolean done;
        private volatile @Nullable Throwable failure;
        private volatile @Nullable Thread waiter;

        Operation(Runnable action) {
            this.action = action;
        }

        void complete(@Nullable Throwable newFailure) {
            failure = newFailure;
            done = true;
            LockSupport.unpark(waiter);
        }

        @Override
        public boolean isDone() {
            return done;
        }

        /** Every operation is bounded by the communicator's timeout, so this wait is as well. */
        @Override
        public void await() {
            await(Duration.ofNanos(Long.MAX_VALUE / 2));
        }

        @Override
        public void await(Duration timeout) {
            for (int spin = 0; spin < SPINS && !done; spin++) {
                Thread.onSpinWait();
            }
            long deadline = System.nanoTime() + timeout.toNanos();
            waiter = Thread.currentThread();
            boolean late = false;
            while (!done) {
                // Short naps, because several threads may wait and only the last one is woken.
                LockSupport.parkNanos(1_000_000);
                if (!late && !done && System.nanoTime() >= deadline) {
                    late = true;
                    abort.accept("an operation did not complete within the " + timeout + " that its caller allowed");
                }
            }
            Throwable cause = failure;
            if (cause instanceof RuntimeException e) {
                throw e;
            }
            if (cause instanceof Error e) {
                throw e;
            }
        }
    }
}
