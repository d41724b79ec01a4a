package dev.slipstream.emulator;

import java.util.List;
import uk.ac.manchester.tornado.api.TornadoBackend;
import uk.ac.manchester.tornado.api.TornadoRuntime;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;
import uk.ac.manchester.tornado.api.exceptions.TornadoBackendNotFound;
import uk.ac.manchester.tornado.api.exceptions.TornadoDeviceNotFound;

/** One backend with one device. */
final class EmulatedRuntime implements TornadoRuntime, TornadoBackend {
    private final TornadoDevice device;

    EmulatedRuntime(EmulatorOptions options) {
        device = new EmulatedDevice(options);
    }

    @Override
    public TornadoBackend getBackend(int index) {
        if (index != 0) {
            throw new TornadoBackendNotFound("Backend " + index + " does not exist; the emulator has one, number 0.");
        }
        return this;
    }

    @Override
    public TornadoVMBackendType getBackendType(int index) {
        return getBackend(index).getBackendType();
    }

    @Override
    public int getNumBackends() {
        return 1;
    }

    @Override
    public TornadoDevice getDefaultDevice() {
        return device;
    }

    @Override
    public boolean isProfilerEnabled() {
        return false;
    }

    @Override
    public int getNumDevices() {
        return 1;
    }

    @Override
    public TornadoDevice getDevice(int index) {
        if (index != 0) {
            throw new TornadoDeviceNotFound("Device " + index + " does not exist; the emulator has one, number 0.");
        }
        return device;
    }

    @Override
    public List<TornadoDevice> getAllDevices() {
        return List.of(device);
    }

    @Override
    public TornadoDeviceType getTypeDefaultDevice() {
        return device.getDeviceType();
    }

    @Override
    public String getName() {
        return "emulator";
    }

    @Override
    public int getNumPlatforms() {
        return 1;
    }

    @Override
    public TornadoVMBackendType getBackendType() {
        return device.getTornadoVMBackend();
    }
}
