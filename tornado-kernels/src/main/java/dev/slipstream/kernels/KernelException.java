package dev.slipstream.kernels;

/** A kernel could not be prepared or run, or an engine not be opened; one sentence with the reason, and the remedy. */
public final class KernelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KernelException(String message) {
        super(message);
    }

    public KernelException(String message, Throwable cause) {
        super(message, cause);
    }
}
