package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.BucketLayout;
import dev.slipstream.kernels.CastKernel;
import dev.slipstream.kernels.Checks;
import dev.slipstream.kernels.EngineKind;
import dev.slipstream.kernels.EngineOptions;
import dev.slipstream.kernels.FloatFormat;
import dev.slipstream.kernels.KernelBuffer;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.kernels.PackKernel;
import dev.slipstream.kernels.ScaleKernel;
import dev.slipstream.kernels.SumKernel;
import dev.slipstream.kernels.TopKKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/**
 * Kernels as TaskGraphs on a device of TornadoVM, or of the emulator. A kernel's graphs are built, compiled and given device
 * memory when it is prepared; a step only executes them.
 */
public final class TornadoEngine implements KernelEngine {
    private final EngineKind kind;
    private final DeviceSession session;
    /** For kernels without elements, which no device need run. */
    private final KernelEngine empty = KernelEngine.cpu(1);

    private final Arena arena = Arena.ofShared();

    private TornadoEngine(EngineKind kind, DeviceSession session) {
        this.kind = kind;
        this.session = session;
    }

    /**
     * Opens the engine on the device that the options name, the system property {@code slipstream.device} (as {@code
     * BACKEND:INDEX}), or else the first GPU, or else TornadoVM's default device.
     *
     * @param options of the kind {@link EngineKind#TORNADO} or {@link EngineKind#EMULATOR}
     * @throws dev.slipstream.kernels.KernelException when it is not available, with the reason
     */
    public static KernelEngine open(EngineOptions options) {
        TornadoDevice device = TornadoSupport.device(options);
        return open(options.kind(), device, SelectionShape.of(device));
    }

    static KernelEngine open(EngineKind kind, TornadoDevice device, SelectionShape selection) {
        return new TornadoEngine(kind, new DeviceSession(device, selection));
    }

    @Override
    public String name() {
        return kind.toString();
    }

    @Override
    public String description() {
        TornadoDevice device = session.device();
        return name() + " (" + TornadoSupport.id(device) + ", "
                + device.getPhysicalDevice().getDeviceName().strip() + ")";
    }

    @Override
    public KernelBuffer allocate(long bytes) {
        return wrap(arena.allocate(HEADROOM + bytes, HEADROOM));
    }

    @Override
    public KernelBuffer wrap(MemorySegment allocation) {
        return DeviceBuffer.of(allocation);
    }

    @Override
    public ScaleKernel scale(KernelBuffer buffer, long elements) {
        Checks.holds("The buffer", buffer, elements, FloatFormat.FLOAT32);
        return elements == 0
                ? empty.scale(buffer, elements)
                : new TornadoScale(session, DeviceBuffer.of(buffer), elements);
    }

    @Override
    public SumKernel sum(List<KernelBuffer> replicas, KernelBuffer target, long elements) {
        Checks.replicas(replicas, target, elements);
        return elements == 0
                ? empty.sum(replicas, target, elements)
                : new TornadoSum(
                        session, replicas.stream().map(DeviceBuffer::of).toList(), DeviceBuffer.of(target), elements);
    }

    @Override
    public PackKernel pack(
            BucketLayout layout, KernelBuffer bucket, FloatFormat gradientFormat, FloatFormat bucketFormat) {
        Checks.packing(gradientFormat, bucketFormat);
        Checks.holds("The bucket", bucket, layout.elements(), bucketFormat);
        if (layout.elements() == 0) {
            return empty.pack(layout, bucket, gradientFormat, bucketFormat);
        }
        DeviceBuffer target = DeviceBuffer.of(bucket);
        int elements = Math.toIntExact(layout.elements());
        if (gradientFormat == bucketFormat) {
            PackGraphs graphs = PackGraphs.inPlace(session, target, elements, bucketFormat);
            return new TornadoPack(layout, gradientFormat, target.payload(), graphs);
        }
        DeviceBuffer gathered =
                DeviceBuffer.of(Arena.ofAuto().allocate(HEADROOM + (long) elements * Float.BYTES, HEADROOM));
        PackGraphs graphs = PackGraphs.narrowing(session, gathered, target, elements, bucketFormat);
        return new TornadoPack(layout, gradientFormat, gathered.payload(), graphs);
    }

    @Override
    public CastKernel cast(KernelBuffer floats, KernelBuffer bits, long elements, FloatFormat format) {
        Checks.sixteenBits(format);
        Checks.holds("The float32 buffer", floats, elements, FloatFormat.FLOAT32);
        Checks.holds("The buffer of " + format, bits, elements, format);
        return elements == 0
                ? empty.cast(floats, bits, elements, format)
                : new TornadoCast(session, DeviceBuffer.of(floats), DeviceBuffer.of(bits), elements, format);
    }

    @Override
    public TopKKernel topK(KernelBuffer gradient, KernelBuffer residual, long elements, int maxK) {
        Checks.selection(gradient, residual, elements, maxK);
        return elements == 0
                ? empty.topK(gradient, residual, elements, maxK)
                : new TornadoTopK(session, DeviceBuffer.of(gradient), DeviceBuffer.of(residual), elements, maxK);
    }

    @Override
    public void close() {
        session.close();
        empty.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
