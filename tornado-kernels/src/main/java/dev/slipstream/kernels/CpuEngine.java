package dev.slipstream.kernels;

final class CpuEngine {
    private CpuEngine() {}

    @SuppressWarnings("DoNotCallSuggester")
    static KernelEngine open(int threads) {
        throw new IllegalStateException("threads " + threads);
    }
}
