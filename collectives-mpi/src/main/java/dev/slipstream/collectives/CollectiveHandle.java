package dev.slipstream.collectives;

import java.time.Duration;

/** A collective under way. Safe for use by several threads. */
public interface CollectiveHandle {
    /** Whether the operation has ended, well or badly. Never blocks and never throws. */
    boolean isDone();

    /**
     * Waits until the operation has ended.
     *
     * @param timeout the caller's own bound; when it passes, the group is aborted, since a buffer under a running
     *     operation can't be taken back
     * @throws CollectiveTimeoutException naming the ranks that did not arrive
     * @throws CollectiveException the operation's own failure
     */
    void await(Duration timeout);

    /** {@link #await(Duration)} with the communicator's timeout. */
    void await();
}
