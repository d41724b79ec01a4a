package dev.slipstream.collectives;

/** The ranks called different operations, sizes, types or reductions; the message shows both sides. */
public final class CollectiveMismatchException extends CollectiveException {
    private static final long serialVersionUID = 1L;

    public CollectiveMismatchException(String message) {
        super(message);
    }
}
