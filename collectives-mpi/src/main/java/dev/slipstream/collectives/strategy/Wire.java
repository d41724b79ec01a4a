package dev.slipstream.collectives.strategy;

import java.lang.foreign.MemorySegment;

/**
 * Messages between the ranks of a group, as the algorithms see them. Messages between two ranks arrive in the order in
 * which they were sent; both sides know their lengths. Used by one thread at a time.
 *
 * <p>Every wait is bounded: {@link #await} throws a {@link dev.slipstream.collectives.CollectiveException} when the other
 * rank does not come, has left, or has ended the group.
 */
public interface Wire {
    int rank();

    int size();

    /** Starts to send; the memory must stay as it is until the transfer is done. */
    Transfer send(MemorySegment message, int destination);

    /** Starts to receive a message of just this length. */
    Transfer receive(MemorySegment message, int source);

    /** Waits until a transfer is done. */
    void await(Transfer transfer);

    /** A message under way. */
    interface Transfer {
        /** One that was done before it began, as that of an empty message. */
        Transfer NONE = () -> true;

        /** Whether it is done; lets it progress. */
        boolean isDone();
    }
}
