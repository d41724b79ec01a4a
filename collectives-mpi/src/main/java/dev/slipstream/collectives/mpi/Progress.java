package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.CollectiveTimeoutException;
import dev.slipstream.collectives.CommunicatorAbortedException;
import dev.slipstream.collectives.transport.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How an operation waits for MPI. MPI progresses only inside its calls, so a wait calls it again and again: at first without
 * a pause, then yielding the processor, and where ranks have not met yet and may be computing for long, napping. A wait that
 * has grown long looks whether the group has ended or a rank has left, and says where it waits; so when the deadline
 * passes, it can tell who has arrived and who has not.
 */
final class Progress {
    private static final long NAP_NANOS = 50_000;
    private static final long YIELD_NANOS = 1_000_000;

    /** Transfers between ranks that have met are awaited without naps for this long. */
    private static final long BUSY_NANOS = 2_000_000_000;

    private static final long LOOK_NANOS = 500_000;

    /** What else than the control channel knows who has arrived: memory that the ranks share. */
    @FunctionalInterface
    interface Presence {
        boolean hasArrived(int rank, long operation);
    }

    private final ControlChannel control;
    private final long timeoutNanos;
    private final BooleanSupplier closed;
    private final int rank;
    private final int spins;

    private Presence presence = (other, number) -> false;
    private volatile long operation;
    private Call call;
    private long began;
    private boolean announced;

    /**
     * @param closed whether this rank has closed its communicator
     * @param crowded whether this machine runs more ranks than it has processors
     */
    Progress(ControlChannel control, Duration timeout, BooleanSupplier closed, Call first, boolean crowded) {
        this.control = control;
        this.closed = closed;
        rank = control.comm().rank();
        timeoutNanos = timeout.toNanos();
        spins = crowded ? 5 : 500;
        call = first;
    }

    void setPresence(Presence newPresence) {
        presence = newPresence;
    }

    /** Starts the clock of an operation. */
    void begin(long newOperation, Call newCall) {
        call = newCall;
        operation = newOperation;
        began = System.nanoTime();
        announced = false;
    }

    /** Waits for ranks that may not have arrived yet. */
    void awaitMeeting(BooleanSupplier done) {
        await(done, YIELD_NANOS);
    }

    /** Waits for a transfer between ranks that have met. */
    void awaitTransfer(BooleanSupplier done) {
        await(done, BUSY_NANOS);
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding is only the second of three steps, never relied upon
    private void await(BooleanSupplier done, long withoutNaps) {
        for (int spin = 0; spin < spins; spin++) {
            if (done.getAsBoolean()) {
                return;
            }
            Thread.onSpinWait();
        }
        long start = System.nanoTime();
        long looked = start;
        while (!done.getAsBoolean()) {
            long now = System.nanoTime();
            if (now - looked >= LOOK_NANOS) {
                looked = now;
                look(now);
                if (done.getAsBoolean()) {
                    return;
                }
                throwIfOver();
                if (now - began >= timeoutNanos) {
                    throw timedOut();
                }
            }
            if (now - start < withoutNaps) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }

    /** Waits without using the processor: until another thread, which unparks this one, has made {@code done} true. */
    void awaitParked(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            LockSupport.parkNanos(10 * LOOK_NANOS);
            if (!done.getAsBoolean()) {
                long now = System.nanoTime();
                look(now);
                throwIfOver();
                if (now - began >= timeoutNanos) {
                    throw timedOut();
                }
            }
        }
    }

    private void look(long now) {
        control.poll();
        if (!announced && (now - began >= timeoutNanos / 2 || control.someoneWaits(operation))) {
            announced = true;
            control.tellArrived(operation);
        }
    }

    private void throwIfOver() {
        control.throwIfEnded();
        control.throwIfSomeoneLeftBefore(operation, call.toString());
        if (closed.getAsBoolean()) {
            throw new CommunicatorAbortedException("Rank " + rank + " closed its communicator while operation "
                    + operation + " (" + call + ") was under way.");
        }
    }

    private CollectiveTimeoutException timedOut() {
        List<Integer> missing = ranks(operation, false);
        List<Integer> arrived = ranks(operation, true);
        String where = missing.isEmpty()
                ? "all ranks arrived, but the data did not: a link may be down"
                : "rank(s) " + missing + " did not arrive; rank(s) " + arrived + " did";
        return new CollectiveTimeoutException(
                "Operation " + operation + " (" + call + ") did not complete within " + Duration.ofNanos(timeoutNanos)
                        + ": " + where + ".",
                missing);
    }

    /** Asks around who waits in the operation under way. For any thread. */
    String whoIsBehind() {
        long current = operation;
        control.tellArrived(current);
        long deadline = System.nanoTime() + 200_000_000;
        while (!ranks(current, false).isEmpty() && System.nanoTime() < deadline) {
            control.poll();
            LockSupport.parkNanos(NAP_NANOS);
        }
        List<Integer> missing = ranks(current, false);
        return missing.isEmpty() ? "." : ": rank(s) " + missing + " did not arrive in operation " + current + ".";
    }

    /** The ranks that are known to have arrived in an operation, or those that are not. */
    private List<Integer> ranks(long number, boolean arrivedThere) {
        List<Integer> result = new ArrayList<>();
        for (int other = 0; other < control.comm().size(); other++) {
            if ((control.hasArrived(other, number) || presence.hasArrived(other, number)) == arrivedThere) {
                result.add(other);
            }
        }
        return result;
    }
}
