package dev.slipstream.bench;

import dev.slipstream.kernels.BucketLayout;
import dev.slipstream.kernels.EngineKind;
import dev.slipstream.kernels.EngineOptions;
import dev.slipstream.kernels.FloatFormat;
import dev.slipstream.kernels.KernelBuffer;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.kernels.TopKKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The kernels on ResNet-50's gradients, each beside the plain Java that does the same, run by run. */
@Command(
        name = "kernels",
        description = {
            "Time of each kernel, on as many elements as ResNet-50 has parameters.",
            "ratio is the baseline's time over the kernel's: above 1 the kernel is faster. Baseline and kernel take turns."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class KernelsCommand implements Runnable {
    @Option(
            names = "--engine",
            split = ",",
            defaultValue = "cpu",
            paramLabel = "ENGINE",
            converter = Converters.Engine.class,
            description = "One or several of cpu and tornado, separated by commas (default: ${DEFAULT-VALUE}).")
    private List<EngineKind> engines = List.of();

    @Option(names = "--device", paramLabel = "BACKEND:INDEX", description = "TornadoVM's device.")
    private Optional<String> device = Optional.empty();

    @Option(names = "--threads", paramLabel = "N", description = "Of the cpu engine (default: all processors).")
    private Optional<Integer> threads = Optional.empty();

    @Option(
            names = "--rounds",
            defaultValue = "15",
            paramLabel = "N",
            description = "Of each pair; the sort takes fewer (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the rows for programs.")
    private Optional<Path> json = Optional.empty();

    /** A row of {@code --json}. */
    record Row(
            String bench,
            String kernel,
            String engine,
            long elements,
            double microsMedian,
            double inputGBps,
            String baseline,
            double ratioToBaseline) {}

    /** The Vector API is slow until its loops are compiled. */
    private static final long WARMUP_NANOS = 2_000_000_000;

    private final List<Row> rows = new ArrayList<>();

    @Override
    public void run() {
        if (rounds < 1) {
            throw CommandException.usage("--rounds must be at least 1, but is " + rounds + ".", "the default is 15");
        }
        int count = threads.orElse(Runtime.getRuntime().availableProcessors());
        if (count < 1) {
            throw CommandException.usage("--threads must be at least 1, but is " + count + ".", "");
        }
        List<ModelFile.Entry> model = ModelFile.read("resnet50");
        System.out.printf(
                "%-16s %-8s %10s %10s %10s  %-28s %6s%n",
                "kernel", "engine", "elements", "time us", "input GB/s", "baseline", "ratio");
        for (EngineKind kind : engines) {
            try (KernelEngine engine = KernelEngine.open(new EngineOptions(kind, count, device));
                    Arena arena = Arena.ofShared()) {
                measure(engine, arena, model);
            }
        }
        json.ifPresent(file -> JsonFile.write(file, rows));
    }

    private void measure(KernelEngine engine, Arena arena, List<ModelFile.Entry> model) {
        BucketLayout layout =
                BucketLayout.of(model.stream().map(ModelFile.Entry::elements).toList());
        long elements = layout.elements();
        MemorySegment source = arena.allocate(elements * 4, 64);
        Baselines.fill(source, elements);
        MemorySegment target = arena.allocate(elements * 4, 64);
        List<MemorySegment> gradients = new ArrayList<>();
        for (int slot = 0; slot < layout.slots(); slot++) {
            gradients.add(source.asSlice(layout.offset(slot) * 4, layout.length(slot) * 4));
        }
        KernelBuffer bucket = engine.allocate(elements * 4);
        KernelBuffer half = engine.allocate(elements * 2);

        var pack = engine.pack(layout, bucket, FloatFormat.FLOAT32, FloatFormat.FLOAT32);
        Runnable copy = () -> MemorySegment.copy(source, 0, target, 0, elements * 4);
        row(engine, "pack", elements, "segment copy", rounds, copy, () -> pack.putAll(gradients, 0.5f));
        row(engine, "unpack", elements, "segment copy", rounds, copy, () -> pack.takeAll(gradients));
        var packHalf = engine.pack(layout, half, FloatFormat.FLOAT32, FloatFormat.FLOAT16);
        row(engine, "pack to float16", elements, "segment copy", rounds, copy, () -> packHalf.putAll(gradients, 0.5f));
        Baselines.fill(source, elements);

        var scale = engine.scale(bucket, elements);
        row(
                engine,
                "average",
                elements,
                "plain scale loop",
                rounds,
                () -> Baselines.scale(target, elements),
                () -> scale.run(1.0001f));
        KernelBuffer second = engine.allocate(elements * 4);
        second.payload().copyFrom(source);
        var sum = engine.sum(List.of(bucket, second), bucket, elements);
        row(
                engine,
                "sum of 2",
                elements,
                "plain loop",
                rounds,
                () -> Baselines.mean(target, source, elements),
                () -> sum.run(0.5f));
        bucket.payload().copyFrom(source);
        for (FloatFormat format : List.of(FloatFormat.FLOAT16, FloatFormat.BFLOAT16)) {
            var cast = engine.cast(bucket, half, elements, format);
            String name = format.toString().toLowerCase(Locale.ROOT);
            MemorySegment bits = arena.allocate(elements * 2, 64);
            Runnable plain = format == FloatFormat.FLOAT16
                    ? () -> Baselines.toFloat16(source, bits, elements)
                    : () -> Baselines.toBfloat16(source, bits, elements);
            row(engine, "to " + name, elements, "plain cast loop", rounds, plain, cast::narrow);
        }
        topK(engine, source, elements);
    }

    private void topK(KernelEngine engine, MemorySegment source, long elements) {
        int k = TopKKernel.count(0.01, elements);
        KernelBuffer gradient = engine.allocate(elements * 4);
        KernelBuffer residual = engine.allocate(elements * 4);
        gradient.payload().copyFrom(source);
        TopKKernel select = engine.topK(gradient, residual, elements, k);
        row(
                engine,
                "top 1 %",
                elements,
                "sort of indices by magnitude",
                Math.min(rounds, 5),
                () -> Baselines.sortByMagnitude(source, elements),
                () -> select.run(k));
    }

    private void row(
            KernelEngine engine,
            String kernel,
            long elements,
            String baseline,
            int repetitions,
            Runnable plain,
            Runnable work) {
        Median plainTimes = new Median(repetitions);
        Median times = new Median(repetitions);
        long warm = System.nanoTime() + WARMUP_NANOS;
        do {
            plain.run();
            work.run();
        } while (System.nanoTime() < warm);
        for (int i = 0; i < repetitions; i++) {
            long start = System.nanoTime();
            plain.run();
            long middle = System.nanoTime();
            work.run();
            long end = System.nanoTime();
            plainTimes.add(middle - start);
            times.add(end - middle);
        }
        Row row = new Row(
                "kernels",
                kernel,
                engine.name(),
                elements,
                times.micros(),
                elements * 4 / times.micros() / 1e3,
                baseline,
                plainTimes.micros() / times.micros());
        rows.add(row);
        System.out.printf(
                Locale.ROOT,
                "%-16s %-8s %10d %10.0f %10.2f  %-28s %6.2f%n",
                row.kernel,
                row.engine,
                row.elements,
                row.microsMedian,
                row.inputGBps,
                row.baseline,
                row.ratioToBaseline);
    }
}
