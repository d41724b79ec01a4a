package dev.slipstream.kernels;

import java.util.List;
import java.util.function.Supplier;

/** The engines that every kernel test runs on. */
record Engines(String label, Supplier<KernelEngine> opener) {
    /** One thread and several, with the Vector API and without. */
    static List<Engines> all() {
        return List.of(
                new Engines("cpu, 1 thread", () -> KernelEngine.cpu(1)),
                new Engines("cpu, 3 threads", () -> KernelEngine.cpu(3)),
                new Engines("cpu, plain loops", () -> CpuEngine.open(new Loops(), 2)));
    }

    KernelEngine open() {
        return opener.get();
    }

    @Override
    public String toString() {
        return label;
    }
}
