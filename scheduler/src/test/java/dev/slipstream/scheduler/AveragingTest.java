package dev.slipstream.scheduler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.kernels.KernelEngine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AveragingTest {
    private static final Model MODEL = Model.mixed();

    /** What each rank held after each step, to be compared between ranks. */
    private final ConcurrentHashMap<String, byte[]> results = new ConcurrentHashMap<>();

    /** Checks one gradient against the float64 mean, and its bits against the other ranks'. */
    private void check(int index, int ranks, int step, MemorySegment result, double relative) {
        byte[] bits = result.toArray(ValueLayout.JAVA_BYTE);
        byte[] others = results.putIfAbsent(step + ":" + index, bits);
        if (others != null) {
            assertArrayEquals(others, bits, () -> MODEL.parameters().get(index) + " differs between ranks");
        }
        double[] expected = MODEL.average(index, ranks, step);
        double[] magnitude = MODEL.magnitude(index, ranks, step);
        for (int i = 0; i < expected.length; i++) {
            double actual = MODEL.isFloat32(index)
                    ? result.getAtIndex(ValueLayout.JAVA_FLOAT, i)
                    : result.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            double tolerance = magnitude[i] * (MODEL.isFloat32(index) ? relative : 1e-15 * ranks);
            assertEquals(
                    expected[i],
                    actual,
                    tolerance,
                    () -> "step " + step + ", " + MODEL.parameters().get(index));
        }
    }

    private void train(Communicator communicator, OverlapConfig config, int steps, long seed, double relative) {
        int ranks = communicator.size();
        Random random = new Random(seed * 7919 + communicator.rank());
        try (KernelEngine engine = Ranks.engine();
                var synchronizer = GradientSynchronizer.create(communicator, MODEL.parameters(), config, engine)) {
            for (int step = 0; step < steps; step++) {
                MemorySegment[] gradients = new MemorySegment[MODEL.size()];
                for (int index : MODEL.order(seed == 0 ? 0 : random.nextLong())) {
                    double[] gradient = MODEL.gradient(index, communicator.rank(), step);
                    if (MODEL.isFloat32(index)) {
                        float[] floats = Model.floats(gradient);
                        gradients[index] = MemorySegment.ofArray(floats);
                        synchronizer.gradientReady(MODEL.parameters().get(index).name(), floats);
                    } else {
                        gradients[index] = MemorySegment.ofArray(gradient);
                        synchronizer.gradientReady(MODEL.parameters().get(index).name(), gradient);
                    }
                    if (seed != 0 && random.nextInt(4) == 0) {
                        LockSupport.parkNanos(random.nextInt(200_000));
                    }
                }
                synchronizer.finishStep();
                for (int index = 0; index < MODEL.size(); index++) {
                    check(index, ranks, step, gradients[index], relative);
                }
            }
            assertEquals(steps, synchronizer.stats().steps());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void everyGradientBecomesTheAverage(int ranks) {
        Ranks.run(ranks, c -> train(c, OverlapConfig.defaults(), 3, 0, 1e-6));
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void everyWayOfRunningGivesTheSame(boolean enabled, boolean dedicated) {
        OverlapConfig config = Model.tinyBuckets()
                .enabled(enabled)
                .dedicatedCommThread(dedicated)
                .build();
        Ranks.run(3, c -> train(c, config, 5, 0, 1e-6));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void gradientsMayArriveInAnyOrderOnAnyRank(long seed) {
        OverlapConfig config = Model.tinyBuckets()
                .maxConcurrentOps(1 + (int) (seed % 3))
                .dedicatedCommThread(seed % 4 != 0)
                .build();
        Ranks.run(2 + (int) (seed % 4), c -> train(c, config, 6, seed, 1e-6));
    }

    @Test
    void sixteenBitWiresRoundOnce() {
        OverlapConfig fp16 =
                Model.tinyBuckets().compression(new Compression.Fp16()).build();
        // Each rank's gradient is rounded to 11 bits, the average once more; subnormals below 6e-8 are lost.
        Ranks.run(3, c -> {
            List<Parameter> one = List.of(Parameter.float32("w", 3));
            try (KernelEngine engine = Ranks.engine();
                    var synchronizer = GradientSynchronizer.create(c, one, fp16, engine)) {
                // Summed in 16 bits this would overflow, and divided first underflow.
                float[] gradient = {60000f, 6e-8f, c.rank() == 1 ? 1 + 1 / 512f : 1};
                synchronizer.gradientReady("w", gradient);
                synchronizer.finishStep();
                float expected = Float.float16ToFloat(Float.floatToFloat16((3 + 1 / 512f) * (1f / 3)));
                assertArrayEquals(
                        new float[] {Float.float16ToFloat(Float.floatToFloat16(60000f)), 5.9604645E-8f, expected},
                        gradient);
                assertEquals(ElementType.FLOAT16, synchronizer.plan().getFirst().wireType());
            }
        });
        OverlapConfig bf16 =
                Model.tinyBuckets().compression(new Compression.Bf16()).build();
        Ranks.run(3, c -> train(c, bf16, 3, 0, 1.0 / 128));
    }

    @Test
    void topKOfEverythingIsTheAverage() {
        OverlapConfig config =
                Model.tinyBuckets().compression(new Compression.TopK(1)).build();
        Ranks.run(3, c -> train(c, config, 3, 0, 1e-6));
    }

    @Test
    void whatTopKDoesNotSendIsSentLater() {
        OverlapConfig config =
                OverlapConfig.builder().compression(new Compression.TopK(0.25)).build();
        List<Parameter> one = List.of(Parameter.float32("w", 8));
        int ranks = 2;
        Ranks.run(ranks, c -> {
            double[] handedOver = new double[8];
            double[] received = new double[8];
            double largest = 0;
            try (KernelEngine engine = Ranks.engine();
                    var synchronizer = GradientSynchronizer.create(c, one, config, engine)) {
                for (int step = 0; step < 200; step++) {
                    float[] gradient = new float[8];
                    for (int i = 0; i < 8; i++) {
                        // the mean over the ranks, which both know
                        handedOver[i] += (i + 1) * 0.125 * (1 + 2) / ranks;
                        gradient[i] = (i + 1) * 0.125f * (1 + c.rank());
                    }
                    synchronizer.gradientReady("w", gradient);
                    synchronizer.finishStep();
                    int sent = 0;
                    for (int i = 0; i < 8; i++) {
                        received[i] += gradient[i];
                        sent += gradient[i] == 0 ? 0 : 1;
                        largest = Math.max(largest, Math.abs(gradient[i]));
                    }
                    assertTrue(sent >= 2 && sent <= 4, "each rank sends two of eight, not " + sent);
                }
            }
            for (int i = 0; i < 8; i++) {
                // What is missing is a residual, and no residual outgrows a few selections.
                assertEquals(handedOver[i], received[i], 4 * largest);
            }
        });
    }

    @Test
    void viewsSaveTheCopyAndGiveTheSameBits() {
        Ranks.run(3, c -> {
            try (KernelEngine engine = Ranks.engine();
                    var synchronizer = GradientSynchronizer.create(
                            c, MODEL.parameters(), Model.tinyBuckets().build(), engine)) {
                for (int step = 0; step < 4; step++) {
                    MemorySegment[] gradients = new MemorySegment[MODEL.size()];
                    for (int index : MODEL.order(0)) {
                        String name = MODEL.parameters().get(index).name();
                        double[] gradient = MODEL.gradient(index, c.rank(), step);
                        MemorySegment source = MODEL.isFloat32(index)
                                ? MemorySegment.ofArray(Model.floats(gradient))
                                : MemorySegment.ofArray(gradient);
                        // One rank writes into its views and the others copy: the bits must still agree.
                        gradients[index] = source;
                        if (c.rank() == 1) {
                            gradients[index] = synchronizer.gradientView(name);
                            gradients[index].copyFrom(source);
                        }
                        synchronizer.gradientReady(name, gradients[index]);
                    }
                    synchronizer.finishStep();
                    for (int index = 0; index < MODEL.size(); index++) {
                        check(index, 3, step, gradients[index], 1e-6);
                    }
                }
            }
        });
    }

    @Test
    void aGradientInANewArrayEveryStepIsWrittenBackThere() {
        Ranks.run(2, c -> {
            List<Parameter> one = List.of(Parameter.float32("w", 3));
            try (Arena arena = Arena.ofShared();
                    KernelEngine engine = Ranks.engine();
                    var synchronizer = GradientSynchronizer.create(c, one, OverlapConfig.defaults(), engine)) {
                for (int step = 1; step <= 6; step++) {
                    MemorySegment gradient =
                            step % 2 == 0 ? arena.allocate(12, 4) : MemorySegment.ofArray(new float[3]);
                    gradient.setAtIndex(ValueLayout.JAVA_FLOAT, 1, step * (1f + 2 * c.rank()));
                    synchronizer.gradientReady(0, gradient);
                    synchronizer.finishStep();
                    assertEquals(2f * step, gradient.getAtIndex(ValueLayout.JAVA_FLOAT, 1));
                    assertEquals(0f, gradient.getAtIndex(ValueLayout.JAVA_FLOAT, 2));
                }
            }
        });
    }

    @Test
    void severalThreadsMayHandGradientsOver() {
        for (boolean dedicated : new boolean[] {true, false}) {
            results.clear();
            OverlapConfig config =
                    Model.tinyBuckets().dedicatedCommThread(dedicated).build();
            Ranks.run(2, c -> {
                try (ExecutorService pool = Executors.newFixedThreadPool(3);
                        KernelEngine engine = Ranks.engine();
                        var synchronizer = GradientSynchronizer.create(c, MODEL.parameters(), config, engine)) {
                    for (int step = 0; step < 20; step++) {
                        int now = step;
                        MemorySegment[] gradients = new MemorySegment[MODEL.size()];
                        List<Future<?>> tasks = new ArrayList<>();
                        for (int index : MODEL.order(step * 2L + c.rank() + 1)) {
                            tasks.add(pool.submit(() -> {
                                double[] gradient = MODEL.gradient(index, c.rank(), now);
                                gradients[index] = MODEL.isFloat32(index)
                                        ? MemorySegment.ofArray(Model.floats(gradient))
                                        : MemorySegment.ofArray(gradient);
                                synchronizer.gradientReady(index, gradients[index]);
                            }));
                        }
                        for (Future<?> task : tasks) {
                            task.get(30, TimeUnit.SECONDS);
                        }
                        synchronizer.finishStep();
                        for (int index = 0; index < MODEL.size(); index++) {
                            check(index, 2, step, gradients[index], 1e-6);
                        }
                    }
                }
            });
        }
    }

    @Test
    void modelsWithoutNumbersStepToo() {
        for (List<Parameter> parameters :
                List.of(List.<Parameter>of(), List.of(Parameter.float32("a", 10, 0), Parameter.float64("b", 0)))) {
            Ranks.run(2, c -> {
                try (KernelEngine engine = Ranks.engine();
                        var synchronizer =
                                GradientSynchronizer.create(c, parameters, OverlapConfig.defaults(), engine)) {
                    for (int step = 0; step < 3; step++) {
                        if (!parameters.isEmpty()) {
                            synchronizer.gradientReady("a", new float[0]);
                            synchronizer.gradientReady("b", new double[0]);
                        }
                        synchronizer.finishStep();
                    }
                    assertEquals(3, synchronizer.stats().steps());
                    assertEquals(0, synchronizer.stats().bucketsSent());
                    assertEquals(0, synchronizer.stats().overlapRatio());
                }
            });
        }
    }

    @Test
    void bytesAreThoseOfABandwidthOptimalAlgorithm() {
        Ranks.run(4, c -> {
            List<Parameter> parameters = List.of(Parameter.float32("a", 1000), Parameter.float64("b", 500));
            try (KernelEngine engine = Ranks.engine()) {
                try (var synchronizer = GradientSynchronizer.create(c, parameters, OverlapConfig.defaults(), engine)) {
                    synchronizer.gradientReady("a", new float[1000]);
                    synchronizer.gradientReady("b", new double[500]);
                    synchronizer.finishStep();
                    SynchronizerStats stats = synchronizer.stats();
                    assertEquals(2, stats.bucketsSent());
                    assertEquals(8000, stats.gradientBytes());
                    assertEquals(12000, stats.bytesSent());
                    assertEquals(8000.0 / (2 * (25 << 20)), stats.fillRatio());
                    assertEquals(stats.communicationNanos(), stats.hiddenNanos() + stats.exposedNanos());
                }
                OverlapConfig topK = OverlapConfig.builder()
                        .compression(new Compression.TopK(0.01))
                        .build();
                try (var synchronizer = GradientSynchronizer.create(c, parameters, topK, engine)) {
                    synchronizer.gradientReady("a", new float[1000]);
                    synchronizer.gradientReady("b", new double[500]);
                    synchronizer.finishStep();
                    assertEquals(3 * 80 + 6000, synchronizer.stats().bytesSent());
                }
            }
        });
    }
}
