package uk.ac.manchester.tornado.api;

/** What the hardware behind a device offers. */
public interface TornadoTargetDevice {
    String getDeviceName();

    long getDeviceGlobalMemorySize();

    long getDeviceLocalMemorySize();

    int getDeviceMaxComputeUnits();

    long[] getDeviceMaxWorkItemSizes();

    /** The most work-items in a group, as the first and only element. */
    long[] getDeviceMaxWorkGroupSize();

    long getDeviceMaxAllocationSize();
}
