package dev.slipstream.collectives;

/** A collective failed; the message names the operation, the ranks and the remedy. */
public sealed class CollectiveException extends RuntimeException
        permits CollectiveMismatchException, CollectiveTimeoutException, CommunicatorAbortedException {
    private static final long serialVersionUID = 1L;

    public CollectiveException(String message) {
        super(message);
    }

    public CollectiveException(String message, Throwable cause) {
        super(message, cause);
    }
}
