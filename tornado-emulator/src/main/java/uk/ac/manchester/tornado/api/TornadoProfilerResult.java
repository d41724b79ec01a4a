package uk.ac.manchester.tornado.api;

import dev.slipstream.emulator.ExecutionFigures;
import uk.ac.manchester.tornado.api.profiler.ProfilerInterface;

/** Times and bytes of one execution, as taken by the emulator's own clock. */
public class TornadoProfilerResult implements ProfilerInterface {
    private final ExecutionFigures figures;

    TornadoProfilerResult(ExecutionFigures figures) {
        this.figures = figures;
    }

    @Override
    public long getTotalTime() {
        return figures.totalNanos();
    }

    @Override
    public long getDataTransfersTime() {
        return figures.uploadNanos() + figures.downloadNanos();
    }

    @Override
    public long getDeviceWriteTime() {
        return figures.uploadNanos();
    }

    @Override
    public long getDeviceReadTime() {
        return figures.downloadNanos();
    }

    @Override
    public long getDeviceKernelTime() {
        return figures.kernelNanos();
    }

    @Override
    public long getTotalBytesCopyIn() {
        return figures.uploadBytes();
    }

    @Override
    public long getTotalBytesCopyOut() {
        return figures.downloadBytes();
    }

    @Override
    public long getTotalBytesTransferred() {
        return figures.uploadBytes() + figures.downloadBytes();
    }

    @Override
    public long getTotalDeviceMemoryUsage() {
        return figures.deviceBytes();
    }
}
