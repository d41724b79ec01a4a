package uk.ac.manchester.tornado.api.exceptions;

/** The device has no memory left for an array. */
public class TornadoOutOfMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoOutOfMemoryException(String message) {
        super(message);
    }
}
