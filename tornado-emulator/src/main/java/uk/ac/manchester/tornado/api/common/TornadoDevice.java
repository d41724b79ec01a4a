package uk.ac.manchester.tornado.api.common;

import uk.ac.manchester.tornado.api.TornadoTargetDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;

/** A device that runs tasks. */
public interface TornadoDevice {
    String getDeviceName();

    String getDescription();

    String getPlatformName();

    TornadoTargetDevice getPhysicalDevice();

    TornadoDeviceType getDeviceType();

    /** The largest array that the device takes, in bytes. */
    long getMaxAllocMemory();

    long getMaxGlobalMemory();

    long getDeviceLocalMemorySize();

    /** The most work-items in each dimension. */
    long[] getDeviceMaxWorkgroupDimensions();

    int getBackendIndex();

    TornadoVMBackendType getTornadoVMBackend();
}
