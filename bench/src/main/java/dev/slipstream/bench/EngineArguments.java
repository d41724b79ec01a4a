package dev.slipstream.bench;

import dev.slipstream.kernels.EngineKind;
import dev.slipstream.kernels.EngineOptions;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that choose where kernels run. */
final class EngineArguments {
    @Option(
            names = "--engine",
            defaultValue = "auto",
            paramLabel = "ENGINE",
            converter = Converters.Engine.class,
            description = "Where kernels run: auto, cpu, tornado or emulator (default: ${DEFAULT-VALUE}).")
    private EngineKind engine = EngineKind.AUTO;

    @Option(
            names = "--device",
            paramLabel = "BACKEND:INDEX",
            description = "TornadoVM's device, such as opencl:0; doctor lists them.")
    private Optional<String> device = Optional.empty();

    EngineOptions options(int threads) {
        return new EngineOptions(engine, threads, device);
    }
}
