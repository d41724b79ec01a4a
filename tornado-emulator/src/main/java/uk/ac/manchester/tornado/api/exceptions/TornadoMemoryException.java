package uk.ac.manchester.tornado.api.exceptions;

/** A plan needs more device memory than {@code withMemoryLimit} grants it. */
public class TornadoMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoMemoryException(String message) {
        super(message);
    }
}
