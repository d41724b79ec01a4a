package dev.slipstream.bench.jmh;

import dev.slipstream.bench.Baselines;
import dev.slipstream.kernels.BucketLayout;
import dev.slipstream.kernels.EngineKind;
import dev.slipstream.kernels.EngineOptions;
import dev.slipstream.kernels.FloatFormat;
import dev.slipstream.kernels.KernelBuffer;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.kernels.TopKKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Every kernel on every engine that this machine has, from a small bucket to a large model. The engine {@code scalar} is
 * plain Java on one thread; {@code cpu} takes all processors.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class KernelBenchmark {
    /** Gradients in a bucket, of unequal lengths. */
    private static final int SLOTS = 40;

    @Param({"average", "pack", "float16", "topk"})
    public String kernel;

    @Param({"scalar", "cpu"})
    public String engine;

    @Param({"65536", "1048576", "16777216", "104857600"})
    public int bytes;

    private final Arena arena = Arena.ofShared();
    private Optional<KernelEngine> opened = Optional.empty();
    private Runnable work;

    @Setup(Level.Trial)
    public void prepare() {
        int elements = bytes / 4;
        MemorySegment source = arena.allocate(bytes, 64);
        Baselines.fill(source, elements);
        work = engine.equals("scalar") ? scalar(source, elements) : prepared(source, elements);
    }

    private Runnable scalar(MemorySegment source, int elements) {
        MemorySegment target = arena.allocate(bytes, 64).copyFrom(source);
        return switch (kernel) {
            case "average" -> () -> Baselines.scale(target, elements);
            case "pack" -> () -> Baselines.pack(source, target, elements, 0.5f);
            case "float16" -> () -> Baselines.toFloat16(source, target, elements);
            case "topk" -> () -> Baselines.sortByMagnitude(source, elements);
            default -> throw new IllegalArgumentException("There is no kernel '" + kernel + "'.");
        };
    }

    private Runnable prepared(MemorySegment source, int elements) {
        int threads = Runtime.getRuntime().availableProcessors();
        KernelEngine kernels =
                KernelEngine.open(new EngineOptions(EngineKind.parse(engine), threads, Optional.empty()));
        opened = Optional.of(kernels);
        KernelBuffer values = kernels.allocate(bytes);
        values.payload().copyFrom(source);
        return switch (kernel) {
            case "average" -> {
                var scale = kernels.scale(values, elements);
                yield () -> scale.run(1.0001f);
            }
            case "pack" -> {
                BucketLayout layout = layout(elements);
                List<MemorySegment> gradients = new ArrayList<>();
                for (int slot = 0; slot < layout.slots(); slot++) {
                    gradients.add(source.asSlice(layout.offset(slot) * 4, layout.length(slot) * 4));
                }
                var pack = kernels.pack(layout, values, FloatFormat.FLOAT32, FloatFormat.FLOAT32);
                yield () -> pack.putAll(gradients, 0.5f);
            }
            case "float16" -> {
                var cast = kernels.cast(values, kernels.allocate(bytes / 2), elements, FloatFormat.FLOAT16);
                yield cast::narrow;
            }
            case "topk" -> {
                int k = TopKKernel.count(0.01, elements);
                TopKKernel select = kernels.topK(values, kernels.allocate(bytes), elements, k);
                yield () -> select.run(k);
            }
            default -> throw new IllegalArgumentException("There is no kernel '" + kernel + "'.");
        };
    }

    private static BucketLayout layout(int elements) {
        long[] lengths = new long[SLOTS];
        long left = elements;
        for (int slot = 0; slot < SLOTS; slot++) {
            lengths[slot] = slot == SLOTS - 1 ? left : Math.min(left, (long) elements / SLOTS / 2 * (1 + slot % 3));
            left -= lengths[slot];
        }
        return BucketLayout.of(lengths);
    }

    @Benchmark
    public void run() {
        work.run();
    }

    @TearDown(Level.Trial)
    public void close() {
        opened.ifPresent(KernelEngine::close);
        arena.close();
    }
}
