package uk.ac.manchester.tornado.api.exceptions;

/** The runtime is not there or not set up. */
public class TornadoAPIException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoAPIException(String message, Exception cause) {
        super(message, cause);
    }

    public TornadoAPIException(String message) {
        super(message);
    }
}
