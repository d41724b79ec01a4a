package uk.ac.manchester.tornado.api.exceptions;

/** No device has the index asked for. */
public class TornadoDeviceNotFound extends TornadoRuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoDeviceNotFound(String message) {
        super(message);
    }
}
