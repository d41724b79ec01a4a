package dev.slipstream.kernels;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the engine that was asked for. */
final class EngineChoice {
    private static final Logger LOG = LoggerFactory.getLogger(EngineChoice.class);

    private EngineChoice() {}

    static KernelEngine open(EngineOptions options) {
        return switch (options.kind()) {
            case CPU -> CpuEngine.open(options.threads());
            case AUTO -> {
                LOG.debug("Kernels run on the cpu engine: TornadoVM is not supported yet.");
                yield CpuEngine.open(options.threads());
            }
            case TORNADO, EMULATOR ->
                throw new KernelException(
                        options.kind() + ": not available, because only averaging is a TaskGraph so far.");
        };
    }
}
