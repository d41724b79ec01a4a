package dev.slipstream.kernels;

import dev.slipstream.kernels.tornado.EmulatedEngines;
import java.util.List;
import java.util.function.Supplier;

/** The engines that every kernel test runs on. */
record Engines(String label, Supplier<KernelEngine> opener) {
    /**
     * One thread and several, with the Vector API and without; the TaskGraphs on the emulator, spread as on a processor and
     * as on a GPU. In the run on a TornadoVM SDK ({@code -Dslipstream.test.engines=tornado}): those on TornadoVM.
     */
    static List<Engines> all() {
        if (System.getProperty("slipstream.test.engines", "").equals("tornado")) {
            return List.of(new Engines("tornado", () -> KernelEngine.open(EngineOptions.of(EngineKind.TORNADO))));
        }
        return List.of(
                new Engines("cpu, 1 thread", () -> KernelEngine.cpu(1)),
                new Engines("cpu, 3 threads", () -> KernelEngine.cpu(3)),
                new Engines("cpu, plain loops", () -> CpuEngine.open(new Loops(), 2)),
                new Engines("emulator", () -> KernelEngine.open(EngineOptions.of(EngineKind.EMULATOR))),
                new Engines("emulator like a GPU", EmulatedEngines::likeAGpu));
    }

    KernelEngine open() {
        return opener.get();
    }

    @Override
    public String toString() {
        return label;
    }
}
