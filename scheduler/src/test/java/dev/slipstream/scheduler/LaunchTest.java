package dev.slipstream.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.kernels.KernelEngine;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes when, seen from the communicator. */
class LaunchTest {
    private static final List<Parameter> PARAMETERS = List.of(
            Parameter.float32("a", 100),
            Parameter.float32("b", 200),
            Parameter.float32("c", 300),
            Parameter.float32("d", 400));

    /** One parameter in each bucket. */
    private static OverlapConfig.Builder separate() {
        return OverlapConfig.builder().bucketBytes(400).firstBucketBytes(400).minTensorElements(0);
    }

    /** The first law: whatever the order of arrival on each rank, all launch the same sequence, that of the plan. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void bucketsGoInPlanOrderOnEveryRank(long seed) {
        List<RecordingCommunicator> ranks = RecordingCommunicator.all(Ranks.open(3));
        Ranks.run(List.copyOf(ranks), c -> {
            Random random = new Random(seed * 31 + c.rank());
            try (var synchronizer =
                    GradientSynchronizer.create(c, PARAMETERS, separate().build())) {
                for (int step = 0; step < 3; step++) {
                    List<Parameter> order = new java.util.ArrayList<>(PARAMETERS);
                    java.util.Collections.shuffle(order, random);
                    for (Parameter parameter : order) {
                        synchronizer.gradientReady(parameter.name(), new float[Math.toIntExact(parameter.elements())]);
                    }
                    synchronizer.finishStep();
                }
            }
        });
        List<String> first = ranks.getFirst().log.launches;
        assertEquals(12, first.size());
        for (int step = 0; step < 3; step++) {
            for (int position = 0; position < 4; position++) {
                String launch = first.get(step * 4 + position);
                assertTrue(launch.contains(Integer.toString(4 * 100 * (4 - position))), launch);
            }
        }
        for (RecordingCommunicator rank : ranks) {
            assertEquals(first, rank.log.launches);
        }
    }

    /** Communication runs during the backward pass, and no more buckets than allowed are under way. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void bucketsGoWhileOthersAreStillComputed(int concurrent) {
        List<RecordingCommunicator> ranks = RecordingCommunicator.all(Ranks.open(2));
        CountDownLatch gate = new CountDownLatch(2); // both ranks look before anything completes
        ranks.forEach(rank -> rank.log.gate = gate);
        OverlapConfig config = separate().maxConcurrentOps(concurrent).build();
        Ranks.run(List.copyOf(ranks), c -> {
            try (KernelEngine engine = Ranks.engine();
                    var synchronizer = GradientSynchronizer.create(c, PARAMETERS, config, engine)) {
                synchronizer.gradientReady("d", new float[400]);
                synchronizer.gradientReady("c", new float[300]);
                synchronizer.gradientReady("b", new float[200]);
                // Without finishStep, and without the last gradient: as many as may be go, and no more.
                RecordingCommunicator.Log log = ((RecordingCommunicator) c).log;
                while (log.launches.size() < Math.min(concurrent, 3)) {
                    Thread.onSpinWait();
                }
                assertEquals(Math.min(concurrent, 3), log.underWay.get());
                gate.countDown();
                synchronizer.gradientReady("a", new float[100]);
                synchronizer.finishStep();
                assertEquals(4, log.launches.size());
                assertTrue(log.mostUnderWay.get() <= concurrent);
                assertTrue(synchronizer.stats().hiddenNanos() > 0);
            }
        });
    }

    /** Without overlap nothing goes before finishStep. */
    @org.junit.jupiter.api.Test
    void withoutOverlapAllGoInFinishStep() {
        List<RecordingCommunicator> ranks = RecordingCommunicator.all(Ranks.open(2));
        Ranks.run(List.copyOf(ranks), c -> {
            try (var synchronizer = GradientSynchronizer.create(
                    c, PARAMETERS, separate().enabled(false).build())) {
                for (Parameter parameter : PARAMETERS) {
                    synchronizer.gradientReady(parameter.name(), new float[Math.toIntExact(parameter.elements())]);
                }
                Thread.sleep(50);
                RecordingCommunicator.Log log = ((RecordingCommunicator) c).log;
                assertEquals(0, log.launches.size());
                synchronizer.finishStep();
                assertEquals(4, log.launches.size());
                assertEquals(0, synchronizer.stats().hiddenNanos());
            }
        });
    }
}
