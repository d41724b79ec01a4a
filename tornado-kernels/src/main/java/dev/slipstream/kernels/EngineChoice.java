package dev.slipstream.kernels;

import dev.slipstream.kernels.tornado.TornadoEngine;
import dev.slipstream.kernels.tornado.TornadoSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the engine that was asked for. */
final class EngineChoice {
    private static final Logger LOG = LoggerFactory.getLogger(EngineChoice.class);

    private EngineChoice() {}

    /** What {@code auto} means in this JVM: found, and logged, once. */
    private static final class Auto {
        static final EngineKind KIND = choose();
    }

    static KernelEngine open(EngineOptions options) {
        return switch (options.kind()) {
            case CPU -> CpuEngine.open(options.threads());
            case AUTO -> open(new EngineOptions(Auto.KIND, options.threads(), options.device()));
            case TORNADO, EMULATOR -> TornadoEngine.open(options);
        };
    }

    /** A CPU device of OpenCL is no gain over the cpu engine, so that it is used only when asked for. */
    private static EngineKind choose() {
        var gpu = TornadoSupport.devices().stream()
                .filter(TornadoSupport.Device::gpu)
                .findFirst();
        if (gpu.isPresent()) {
            LOG.info(
                    "Engine auto: kernels run on tornado, on {} ({}).",
                    gpu.get().id(),
                    gpu.get().name());
            return EngineKind.TORNADO;
        }
        String why = TornadoSupport.reason();
        LOG.info("Engine auto: kernels run on cpu, because {}.", why.isEmpty() ? "TornadoVM has no GPU device" : why);
        return EngineKind.CPU;
    }
}
