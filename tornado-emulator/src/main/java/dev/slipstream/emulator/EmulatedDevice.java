package dev.slipstream.emulator;

import java.util.concurrent.atomic.AtomicLong;
import uk.ac.manchester.tornado.api.TornadoTargetDevice;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;

/** A device: its settings, and how much of its memory is taken. */
final class EmulatedDevice implements TornadoDevice, TornadoTargetDevice {
    private final EmulatorOptions options;
    private final AtomicLong used = new AtomicLong();

    EmulatedDevice(EmulatorOptions options) {
        this.options = options;
    }

    EmulatorOptions options() {
        return options;
    }

    void take(long bytes) {
        long free = options.memoryBytes() - used.get();
        if (used.addAndGet(bytes) > options.memoryBytes()) {
            used.addAndGet(-bytes);
            throw new TornadoOutOfMemoryException("Unable to allocate " + bytes + " bytes of memory: " + free + " of "
                    + options.memoryBytes() + " bytes on the emulated device are free.");
        }
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    @Override
    public String getDeviceName() {
        return "emulator";
    }

    @Override
    public String getDescription() {
        return "Slipstream's emulator of TornadoVM, " + options;
    }

    @Override
    public String getPlatformName() {
        return "Java";
    }

    @Override
    public TornadoTargetDevice getPhysicalDevice() {
        return this;
    }

    @Override
    public TornadoDeviceType getDeviceType() {
        return TornadoDeviceType.CUSTOM;
    }

    @Override
    public long getMaxAllocMemory() {
        return options.memoryBytes();
    }

    @Override
    public long getMaxGlobalMemory() {
        return options.memoryBytes();
    }

    @Override
    public long getDeviceLocalMemorySize() {
        return options.localMemoryBytes();
    }

    @Override
    public long[] getDeviceMaxWorkgroupDimensions() {
        return getDeviceMaxWorkItemSizes();
    }

    @Override
    public int getBackendIndex() {
        return 0;
    }

    @Override
    public TornadoVMBackendType getTornadoVMBackend() {
        return TornadoVMBackendType.JAVA;
    }

    @Override
    public long getDeviceGlobalMemorySize() {
        return options.memoryBytes();
    }

    @Override
    public int getDeviceMaxComputeUnits() {
        return 1;
    }

    @Override
    public long[] getDeviceMaxWorkItemSizes() {
        return new long[] {options.maxWorkGroupSize(), options.maxWorkGroupSize(), options.maxWorkGroupSize()};
    }

    @Override
    public long[] getDeviceMaxWorkGroupSize() {
        return new long[] {options.maxWorkGroupSize()};
    }

    @Override
    public long getDeviceMaxAllocationSize() {
        return options.memoryBytes();
    }

    @Override
    public String toString() {
        return getDescription();
    }
}
