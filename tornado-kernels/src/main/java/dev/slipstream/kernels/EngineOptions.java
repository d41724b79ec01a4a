package dev.slipstream.kernels;

import java.util.Optional;

/**
 * Which engine to open, and how.
 *
 * @param kind where kernels run
 * @param threads how many threads one kernel of the cpu engine may use, the caller's included; at least 1
 * @param device a device of TornadoVM as {@code BACKEND:INDEX}, such as {@code opencl:0}; empty for its default
 */
public record EngineOptions(EngineKind kind, int threads, Optional<String> device) {
    public EngineOptions {
        if (threads < 1) {
            throw new IllegalArgumentException("An engine needs at least 1 thread, but was given " + threads + ".");
        }
    }

    /** That kind with one thread and the default device. */
    public static EngineOptions of(EngineKind kind) {
        return new EngineOptions(kind, 1, Optional.empty());
    }

    public EngineOptions withThreads(int newThreads) {
        return new EngineOptions(kind, newThreads, device);
    }

    public EngineOptions withDevice(String newDevice) {
        return new EngineOptions(kind, threads, Optional.of(newDevice));
    }
}
