package uk.ac.manchester.tornado.api.exceptions;

/** A task could not be compiled for the device. */
public class TornadoBailoutRuntimeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoBailoutRuntimeException(String message) {
        super(message);
    }

    public TornadoBailoutRuntimeException(String message, Exception cause) {
        super(message, cause);
    }
}
