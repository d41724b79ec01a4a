package dev.slipstream.scheduler;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a scheduler's duty cycle. When there is nothing to do it parks until it is woken; while collectives are under way
 * it yields a few times and then looks again at growing intervals, up to a tenth of a millisecond, since the compute that
 * it is meant to hide behind needs the cores.
 */
final class CommunicationThread {
    private static final int YIELDS = 10;
    private static final long MIN_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(10);
    private static final long MAX_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final OverlapScheduler scheduler;
    private final Thread thread;
    private volatile boolean running = true;

    CommunicationThread(OverlapScheduler scheduler, int rank) {
        this.scheduler = scheduler;
        thread = Thread.ofPlatform().name("slipstream-comm-" + rank).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean canAccess(MemorySegment gradient) {
        return gradient.isAccessibleBy(thread);
    }

    /** There may be something to do. Never lost: a thread that is not parked yet will not park. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Parks the calling thread until it is signalled; may return early. */
    void awaitSignal() {
        LockSupport.parkNanos(this, TimeUnit.SECONDS.toNanos(1));
    }

    @SuppressWarnings("ThreadPriorityCheck") // yields only shorten the wait; parking follows
    private void run() {
        int idleRounds = 0;
        while (running) {
            if (scheduler.doWork(true) > 0) {
                idleRounds = 0;
            } else if (!scheduler.mustPoll()) {
                idleRounds = 0;
                LockSupport.park(this);
            } else if (idleRounds++ < YIELDS) {
                Thread.yield();
            } else {
                int doublings = Math.min(idleRounds - YIELDS, 4);
                LockSupport.parkNanos(this, Math.min(MAX_PARK_NANOS, MIN_PARK_NANOS << doublings));
            }
        }
    }

    /** Ends the thread. An interrupt of the caller is kept for later: a thread that is left behind would be worse. */
    void stopAndJoin() {
        running = false;
        wake();
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
