package dev.slipstream.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Kernels on the processor. Buffers are host memory, so nothing is uploaded, flushed or loaded. */
final class CpuEngine implements KernelEngine {
    private record Buffer(MemorySegment payload) implements KernelBuffer {}

    private final Loops loops;
    private final Workers workers;
    private final Arena arena = Arena.ofShared();

    private CpuEngine(Loops loops, int threads) {
        this.loops = loops;
        workers = new Workers(threads);
    }

    static KernelEngine open(int threads) {
        return open(Loops.best(), threads);
    }

    static KernelEngine open(Loops loops, int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException(
                    "The cpu engine needs at least 1 thread, but was given " + threads + ".");
        }
        return new CpuEngine(loops, threads);
    }

    @Override
    public String name() {
        return EngineKind.CPU.toString();
    }

    @Override
    public String description() {
        int threads = workers.threads();
        return "cpu (" + threads + (threads == 1 ? " thread, " : " threads, ") + loops.description() + ")";
    }

    @Override
    public KernelBuffer allocate(long bytes) {
        return new Buffer(arena.allocate(bytes, HEADROOM));
    }

    @Override
    public KernelBuffer wrap(MemorySegment allocation) {
        return new Buffer(Checks.payload(allocation));
    }

    @Override
    public ScaleKernel scale(KernelBuffer buffer, long elements) {
        Checks.holds("The buffer", buffer, elements, FloatFormat.FLOAT32);
        MemorySegment values = buffer.payload();
        return new ScaleKernel() {
            @Override
            public void run(float factor) {
                workers.run(
                        elements,
                        (part, from, to) -> loops.scale(values, from * 4, values, from * 4, to - from, factor));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public SumKernel sum(List<KernelBuffer> replicas, KernelBuffer target, long elements) {
        Checks.replicas(replicas, target, elements);
        List<MemorySegment> sources = new ArrayList<>();
        for (KernelBuffer replica : replicas) {
            sources.add(replica.payload());
        }
        return new CpuSum(loops, workers, sources, target.payload(), elements);
    }

    @Override
    public PackKernel pack(
            BucketLayout layout, KernelBuffer bucket, FloatFormat gradientFormat, FloatFormat bucketFormat) {
        Checks.packing(gradientFormat, bucketFormat);
        Checks.holds("The bucket", bucket, layout.elements(), bucketFormat);
        return new CpuPack(loops, workers, layout, bucket.payload(), gradientFormat, bucketFormat);
    }

    @Override
    public CastKernel cast(KernelBuffer floats, KernelBuffer bits, long elements, FloatFormat format) {
        Checks.sixteenBits(format);
        Checks.holds("The float32 buffer", floats, elements, FloatFormat.FLOAT32);
        Checks.holds("The buffer of " + format, bits, elements, format);
        MemorySegment wide = floats.payload();
        MemorySegment narrow = bits.payload();
        return new CastKernel() {
            @Override
            public void narrow() {
                workers.run(
                        elements,
                        (part, from, to) -> loops.narrow(format, wide, from * 4, narrow, from * 2, to - from, 1f));
            }

            @Override
            public void widen() {
                workers.run(
                        elements, (part, from, to) -> loops.widen(format, narrow, from * 2, wide, from * 4, to - from));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public TopKKernel topK(KernelBuffer gradient, KernelBuffer residual, long elements, int maxK) {
        Checks.selection(gradient, residual, elements, maxK);
        return new CpuTopK(loops, workers, gradient.payload(), residual.payload(), elements, maxK);
    }

    @Override
    public void close() {
        workers.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
