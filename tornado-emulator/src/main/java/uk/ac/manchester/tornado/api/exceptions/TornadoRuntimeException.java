package uk.ac.manchester.tornado.api.exceptions;

/** The runtime refuses what it was asked for. */
public class TornadoRuntimeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoRuntimeException(String message) {
        super(message);
    }

    public TornadoRuntimeException(Exception cause) {
        super(cause);
    }
}
