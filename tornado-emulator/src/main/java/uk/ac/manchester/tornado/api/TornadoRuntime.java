package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;

/** The backends and their devices. */
public interface TornadoRuntime {
    TornadoBackend getBackend(int index);

    TornadoVMBackendType getBackendType(int index);

    int getNumBackends();

    TornadoDevice getDefaultDevice();

    boolean isProfilerEnabled();
}
