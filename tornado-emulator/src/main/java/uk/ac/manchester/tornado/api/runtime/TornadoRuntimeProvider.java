package uk.ac.manchester.tornado.api.runtime;

import dev.slipstream.emulator.Emulator;
import uk.ac.manchester.tornado.api.TornadoRuntime;

/** The way to the runtime. */
public class TornadoRuntimeProvider {
    public static TornadoRuntime getTornadoRuntime() {
        return Emulator.runtime();
    }

    public static boolean isProfilerEnabled() {
        return getTornadoRuntime().isProfilerEnabled();
    }
}
