package dev.slipstream.kernels.tornado;

import dev.slipstream.emulator.Emulator;
import dev.slipstream.emulator.EmulatorOptions;
import dev.slipstream.kernels.EngineKind;
import dev.slipstream.kernels.KernelEngine;

/** Engines on devices of the emulator that a machine need not have. */
public final class EmulatedEngines {
    private EmulatedEngines() {}

    /** A selection by many work-items in groups, as on a GPU. */
    public static KernelEngine likeAGpu() {
        return on(EmulatorOptions.DEFAULTS, new SelectionShape(512, 256));
    }

    static KernelEngine on(EmulatorOptions options, SelectionShape selection) {
        return TornadoEngine.open(EngineKind.EMULATOR, Emulator.device(options), selection);
    }
}
