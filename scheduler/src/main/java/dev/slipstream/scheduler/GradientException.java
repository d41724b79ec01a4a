package dev.slipstream.scheduler;

/**
 * Gradients could not be synchronised. The message is for people: which step, bucket, parameters and ranks, why, and the
 * remedy. After it the synchronizer can only be closed.
 */
public final class GradientException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GradientException(String message) {
        super(message);
    }

    public GradientException(String message, Throwable cause) {
        super(message, cause);
    }
}
