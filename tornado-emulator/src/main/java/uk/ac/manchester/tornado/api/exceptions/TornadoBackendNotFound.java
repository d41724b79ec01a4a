package uk.ac.manchester.tornado.api.exceptions;

/** No backend has the index asked for. */
public class TornadoBackendNotFound extends TornadoRuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoBackendNotFound(String message) {
        super(message);
    }
}
