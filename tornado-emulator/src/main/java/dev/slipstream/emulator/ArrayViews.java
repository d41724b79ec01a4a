package dev.slipstream.emulator;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Makes the arrays that kernels get. TornadoVM's arrays have no public method for that, so the stand-in's may not have one
 * either: it is called by a handle.
 */
final class ArrayViews {
    private static final MethodHandle ON_DEVICE = find();

    private ArrayViews() {}

    static TornadoNativeArray of(TornadoNativeArray array, DeviceBuffer buffer) {
        try {
            return (TornadoNativeArray) ON_DEVICE.invokeExact(array, buffer);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle find() {
        try {
            return MethodHandles.privateLookupIn(TornadoNativeArray.class, MethodHandles.lookup())
                    .findVirtual(
                            TornadoNativeArray.class,
                            "onDevice",
                            MethodType.methodType(TornadoNativeArray.class, DeviceBuffer.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
