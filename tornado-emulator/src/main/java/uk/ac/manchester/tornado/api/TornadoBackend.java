package uk.ac.manchester.tornado.api;

import java.util.List;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;

/** The devices of one kind of driver. */
public interface TornadoBackend {
    TornadoDevice getDefaultDevice();

    int getNumDevices();

    TornadoDevice getDevice(int index);

    List<TornadoDevice> getAllDevices();

    TornadoDeviceType getTypeDefaultDevice();

    String getName();

    int getNumPlatforms();

    TornadoVMBackendType getBackendType();
}
