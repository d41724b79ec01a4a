package dev.slipstream.scheduler;

import dev.slipstream.collectives.CollectiveHandle;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorAbortedException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides what goes when: a duty cycle ({@link #doWork}) that launches ready buckets and completes those that have
 * arrived.
 *
 * <p><b>Buckets are launched in the order of their positions in the plan, never in the order in which they become
 * ready.</b> The plan is the same on every rank, and so is the sequence of collectives. A rule such as 'any ready bucket'
 * would be applied by each rank to its own arrivals, and ranks that differ would wait for each other's other bucket.
 *
 * <p>At most {@code maxConcurrentOps} collectives are under way. The operations of one rank run in the order in which they
 * were launched, so completion is in order of position too: the buckets under way are always {@code done} to {@code next}.
 *
 * <p><b>Who writes what.</b> The step and the buckets belong to the training thread, which touches them only while {@code
 * completed == step}, when the duty cycle is idle. {@code next}, {@code done} and the handles belong to the duty cycle,
 * which takes up a step when it sees its number. The duty cycle is run by one thread at a time (its own, or under a lock).
 */
final class OverlapScheduler {
    private final Communicator communicator;
    private final OverlapConfig config;
    private final StepMeter meter;
    private final AtomicReference<@Nullable GradientException> failure = new AtomicReference<>();
    private final ReentrantLock duty = new ReentrantLock();
    private final @Nullable CommunicationThread thread;

    private volatile BucketSet buckets;
    private volatile long step = 1;
    private volatile long finishing;
    private volatile long completed;
    private volatile @Nullable Thread waiter;

    private BucketSet current;
    private CollectiveHandle[] handles;
    private long currentStep;
    private int next;
    private int done;
    private long headSince;

    OverlapScheduler(Communicator communicator, BucketSet buckets, OverlapConfig config, StepMeter meter) {
        this.communicator = communicator;
        this.config = config;
        this.meter = meter;
        this.buckets = buckets;
        current = buckets;
        handles = new CollectiveHandle[buckets.size()];
        meter.resize(buckets.size());
        thread = config.dedicatedCommThread() ? new CommunicationThread(this, communicator.rank()) : null;
    }

    void start() {
        if (thread != null) {
            thread.start();
        }
    }

    /** The step that gradients belong to now, from 1. */
    long step() {
        return step;
    }

    BucketSet buckets() {
        return buckets;
    }

    @Nullable
    GradientException failure() {
        return failure.get();
    }

    /** Whether whoever runs the duty cycle may read and write a gradient: confined arenas forbid it. */
    boolean canAccess(MemorySegment gradient) {
        return thread == null ? gradient.isAccessibleBy(Thread.currentThread()) : thread.canAccess(gradient);
    }

    /** A bucket has become ready. From any thread that hands gradients over. */
    void bucketReady() {
        if (thread != null) {
            thread.wake();
        } else if (duty.tryLock()) { // another thread that is at it sees the bucket, or finishStep() does
            try {
                doWork(false);
            } finally {
                duty.unlock();
            }
        }
    }

    /** Waits until all buckets of this step are done; the caller has handed over all gradients. */
    @SuppressWarnings(
            "ThreadPriorityCheck") // yields to a thread that is packing, where there may be fewer cores than threads
    void finishStep() {
        waiter = Thread.currentThread();
        finishing = step;
        if (thread == null) {
            duty.lock();
            try {
                while (completed != step && failure.get() == null) {
                    if (doWork(true) == 0) {
                        Thread.yield();
                    }
                }
            } finally {
                duty.unlock();
            }
        } else {
            thread.wake();
            while (completed != step && failure.get() == null) {
                thread.awaitSignal();
                if (Thread.currentThread().isInterrupted()) {
                    fail(new GradientException("Rank " + communicator.rank() + ", step " + step
                            + ": the thread was interrupted while it waited in finishStep()."));
                }
            }
        }
        waiter = null;
    }

    /** Begins the next step. Only when this one is completed. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the training thread writes the step
    void nextStep(BucketSet nextBuckets) {
        if (nextBuckets == buckets) {
            buckets.reset();
        } else {
            buckets = nextBuckets;
            meter.resize(nextBuckets.size());
        }
        step++; // publishes the buckets to the duty cycle, which reads step first
    }

    /** Records the first failure and ends the group, so that every other rank learns of it. */
    void fail(GradientException exception) {
        if (failure.compareAndSet(null, exception)) {
            if (!(exception.getCause() instanceof CommunicatorAbortedException)) {
                communicator.abort(String.valueOf(exception.getMessage()));
            }
            signal();
            if (thread != null) {
                thread.wake();
            }
        }
    }

    /**
     * One round of the duty cycle.
     *
     * @param mayWait whether to wait for the bucket at the head when nothing else can be done meanwhile
     * @return how much was done; 0 means that the caller may idle
     */
    int doWork(boolean mayWait) {
        if (failure.get() != null) {
            return 0;
        }
        if (currentStep != step) {
            currentStep = step;
            current = buckets;
            next = 0;
            done = 0;
            if (handles.length != current.size()) {
                handles = new CollectiveHandle[current.size()];
            }
        }
        int work = 0;
        int culprit = done;
        try {
            while (mayLaunch()) {
                culprit = next;
                launchNext();
                work++;
            }
            while (done < next && ((mayWait && nothingElseToDo()) || handles[done].isDone() || overdue())) {
                culprit = done;
                completeHead();
                work++;
            }
        } catch (Throwable e) {
            fail(describe(current.bucket(culprit), e));
            return 0;
        }
        if (done == current.size() && completed != currentStep) {
            completed = currentStep;
            signal();
        }
        return work;
    }

    private boolean mayLaunch() {
        return next < current.size()
                && next - done < config.maxConcurrentOps()
                && current.bucket(next).state() == GradientBucket.State.READY
                && (config.enabled() || finishing == currentStep);
    }

    private void launchNext() {
        GradientBucket bucket = current.bucket(next);
        if (next == done) {
            headSince = System.nanoTime();
        }
        meter.launched(next);
        handles[next] = bucket.launch();
        next++;
    }

    /** All are under way that may be: only the head's arrival changes anything. */
    private boolean nothingElseToDo() {
        return next == current.size() || next - done == config.maxConcurrentOps();
    }

    private boolean overdue() {
        return System.nanoTime() - headSince > config.communicationTimeout().toNanos();
    }

    private void completeHead() {
        long waited = System.nanoTime() - headSince;
        long left = Math.max(1, config.communicationTimeout().toNanos() - waited);
        handles[done].await(Duration.ofNanos(left));
        meter.completed(done);
        current.bucket(done).complete();
        headSince = System.nanoTime();
        done++;
    }

    /** Whether collectives are under way that nobody waits for, so that somebody has to look. */
    boolean mustPoll() {
        return done < next && failure.get() == null;
    }

    private void signal() {
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    private GradientException describe(GradientBucket bucket, Throwable cause) {
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return new GradientException(
                "Rank " + communicator.rank() + ", step " + currentStep + ": " + bucket + " was not averaged: "
                        + reason,
                cause);
    }

    /** Stops the duty cycle and its thread. What is under way must have ended or been aborted. */
    void stop() {
        if (thread != null) {
            thread.stopAndJoin();
        }
    }
}
