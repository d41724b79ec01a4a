package dev.slipstream.emulator;

import org.jspecify.annotations.Nullable;

/**
 * The time of a plan's device memory: stamps that only grow, one for each stretch of a work-item between two global
 * barriers. Since a launch runs its groups one after another, and in a group all work-items up to a barrier before any goes
 * on, a stamp's value alone tells how an earlier access relates to the present one:
 *
 * <pre>
 *   0            nothing wrote the element
 *   &lt; launchStart  a transfer or an earlier launch: ordered before this one
 *   &lt; groupStart   another group of this launch: unordered
 *   &lt; phaseStart   the same group before a global barrier: ordered
 *   otherwise     the same group since the last global barrier: unordered unless it is the same work-item
 * </pre>
 *
 * <p>Stamps are multiples of {@link #STEP}; the bits below are flags. They remember what a later access to the same
 * element would hide: reads (or atomics) by several work-items, of which an element's stamp names only the last.
 */
final class AccessClock {
    static final long UNWRITTEN = 0;
    static final long UPLOADED = 8;
    private static final long STEP = 8;

    /** The access is atomic. */
    static final long ATOMIC = 1;
    /** Another group of this launch accessed the element too. */
    private static final long OTHER_GROUPS = 2;
    /** Another work-item of the group accessed the element too since the last global barrier. */
    private static final long OTHER_ITEMS = 4;

    private long next = UPLOADED + STEP;
    private long launchStart = next;
    private long groupStart = next;
    private long phaseStart = next;
    private long now = next;
    private boolean atomic;
    private @Nullable Launch launch;

    void startLaunch(Launch started) {
        launch = started;
        launchStart = next;
        atomic = false;
    }

    void endLaunch() {
        launch = null;
    }

    Launch launch() {
        if (launch == null) {
            throw new IllegalStateException("An array of the device was used after its kernel ended.");
        }
        return launch;
    }

    /** Starts a group, and returns its first stamp. */
    long startGroup(int items) {
        groupStart = next;
        startPhase(items);
        return groupStart;
    }

    /** All work-items of the group have met at a global barrier. */
    void startPhase(int items) {
        phaseStart = next;
        now = next;
        next += items * STEP;
    }

    /** A work-item starts, or goes on. */
    void enter(int item) {
        now = phaseStart + item * STEP;
    }

    long now() {
        return now;
    }

    boolean atomic() {
        return atomic;
    }

    void setAtomic(boolean on) {
        atomic = on;
    }

    /** Whether nothing orders an earlier access before the present one. */
    boolean conflicts(long earlier) {
        if (earlier < launchStart) {
            return false;
        }
        if (earlier < groupStart || (earlier & OTHER_GROUPS) != 0) {
            return true;
        }
        return earlier >= phaseStart && (time(earlier) != now || (earlier & OTHER_ITEMS) != 0);
    }

    /** The stamp of an access that may be shared (a read, an atomic), after an earlier one of the same sort. */
    long share(long earlier) {
        if (earlier < launchStart) {
            return now;
        }
        if (earlier < groupStart) {
            return now | OTHER_GROUPS;
        }
        long flags = earlier & OTHER_GROUPS;
        if (earlier < phaseStart) {
            return now | flags;
        }
        return time(earlier) == now ? earlier : now | flags | OTHER_ITEMS;
    }

    /** Whether the access was the present work-item's own, since the last global barrier. */
    boolean own(long earlier) {
        return time(earlier) == now;
    }

    static long time(long stamp) {
        return stamp & -STEP;
    }

    /** Which work-item of its group a stamp belongs to. */
    static int item(long stamp, long groupStart, int items) {
        return (int) ((time(stamp) - groupStart) / STEP % items);
    }
}
