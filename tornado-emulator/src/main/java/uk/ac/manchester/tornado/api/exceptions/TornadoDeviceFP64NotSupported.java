package uk.ac.manchester.tornado.api.exceptions;

/** The device has no 64-bit floats. */
public class TornadoDeviceFP64NotSupported extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoDeviceFP64NotSupported(String message) {
        super(message);
    }
}
