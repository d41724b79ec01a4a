package dev.slipstream.kernels;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where kernels may run. */
public enum EngineKind {
    /** TornadoVM where its SDK and a GPU are there, else the cpu engine; which and why is logged once. */
    AUTO,
    /** The processor: the Vector API, several threads. */
    CPU,
    /** TaskGraphs on a device of TornadoVM. */
    TORNADO,
    /** The same TaskGraphs on the emulator: a test instrument, thousands of times slower. */
    EMULATOR;

    /** The name as users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Finds a kind by the name that users write; an unknown one is an error that lists the known. */
    public static EngineKind parse(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown engine '" + name + "'; known are "
                        + Arrays.stream(values()).map(EngineKind::toString).collect(Collectors.joining(", ")) + "."));
    }
}
