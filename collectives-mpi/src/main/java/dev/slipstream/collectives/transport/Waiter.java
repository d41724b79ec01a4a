package dev.slipstream.collectives.transport;

import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits for another rank: it spins for a short while, since ranks meet within a microsecond when each has a
 * processor of its own; then it yields, since with more ranks than processors the other one needs this one's; then it
 * sleeps in short naps, since a rank may well be computing for long.
 */
public final class Waiter {
    private static final int YIELDS = 200;
    private static final long NAP_NANOS = 20_000;

    private final int spins;
    private final long deadline;
    private int round;

    /**
     * @param ranks how many ranks wait for each other on this machine; more than its processors means no spinning
     * @param timeoutNanos when {@link #idle()} begins to return false
     */
    public Waiter(int ranks, long timeoutNanos) {
        spins = ranks <= Runtime.getRuntime().availableProcessors() ? 2_000 : 20;
        deadline = System.nanoTime() + timeoutNanos;
    }

    /** Waits a moment; false when the deadline has passed. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is only the second of three steps, never relied upon
    public boolean idle() {
        round++;
        if (round <= spins) {
            Thread.onSpinWait();
            return true;
        }
        if (round <= spins + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(NAP_NANOS);
        }
        return System.nanoTime() < deadline;
    }
}
