package dev.slipstream.emulator;

import uk.ac.manchester.tornado.api.TornadoRuntime;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/**
 * The emulator of TornadoVM: a runtime with one backend and one device, set up by system properties (see {@link
 * EmulatorOptions#fromProperties}), and further devices with settings of their own for {@code
 * TornadoExecutionPlan.withDevice}.
 *
 * <p>Code that also runs on TornadoVM, where this class is missing, tells the two apart by the package: {@code
 * TornadoRuntimeProvider.getTornadoRuntime().getClass().getName().startsWith("dev.slipstream.emulator.")}.
 */
public final class Emulator {
    private static final EmulatedRuntime RUNTIME = new EmulatedRuntime(EmulatorOptions.fromProperties());

    private Emulator() {}

    /** The runtime that {@code TornadoRuntimeProvider} gives. */
    public static TornadoRuntime runtime() {
        return RUNTIME;
    }

    /** A device of its own: own settings, own memory. Plans on several threads may share it. */
    public static TornadoDevice device(EmulatorOptions options) {
        return new EmulatedDevice(options);
    }
}
