package dev.slipstream.collectives.shared;

import java.util.function.BooleanSupplier;

/** How a rank waits once a wait is no longer short: with a deadline, and an ear for a group that has ended. */
@FunctionalInterface
public interface Patience {
    /**
     * Returns when {@code done} is true.
     *
     * @throws dev.slipstream.collectives.CollectiveException when it will not be, or not in time
     */
    void await(BooleanSupplier done);
}
