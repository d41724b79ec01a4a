package dev.slipstream.emulator;

/** Times and bytes of one execution of a plan. */
public record ExecutionFigures(
        long totalNanos,
        long uploadNanos,
        long kernelNanos,
        long downloadNanos,
        long uploadBytes,
        long downloadBytes,
        long deviceBytes) {
    static final ExecutionFigures NONE = new ExecutionFigures(0, 0, 0, 0, 0, 0, 0);

    ExecutionFigures plus(ExecutionFigures other) {
        return new ExecutionFigures(
                totalNanos + other.totalNanos,
                uploadNanos + other.uploadNanos,
                kernelNanos + other.kernelNanos,
                downloadNanos + other.downloadNanos,
                uploadBytes + other.uploadBytes,
                downloadBytes + other.downloadBytes,
                deviceBytes + other.deviceBytes);
    }
}
