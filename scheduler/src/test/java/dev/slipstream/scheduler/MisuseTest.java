package dev.slipstream.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorOptions;
import dev.slipstream.kernels.KernelEngine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One rank does something wrong; every rank hears the same sentence, in bounded time, and all close. */
class MisuseTest {
    private static final int RANKS = 3;
    private static final List<Parameter> PARAMETERS = List.of(
            Parameter.float32("fc1.weight", 5, 4), Parameter.float64("norm", 3), Parameter.float32("fc2.bias", 7));

    private interface Mistake {
        void make(GradientSynchronizer synchronizer) throws Exception;
    }

    private static void handOverAll(GradientSynchronizer synchronizer) {
        synchronizer.gradientReady("fc2.bias", new float[7]);
        synchronizer.gradientReady("norm", new double[3]);
        synchronizer.gradientReady("fc1.weight", new float[20]);
    }

    /** After a good step, rank 1 makes its mistake while the others go on. All must end with the sentence. */
    private static void assertAllHear(String sentence, Mistake mistake) {
        for (boolean dedicated : new boolean[] {true, false}) {
            OverlapConfig config =
                    OverlapConfig.builder().dedicatedCommThread(dedicated).build();
            List<Optional<Throwable>> outcomes = Ranks.outcomes(Ranks.open(RANKS), c -> {
                try (KernelEngine engine = Ranks.engine();
                        var synchronizer = GradientSynchronizer.create(c, PARAMETERS, config, engine)) {
                    handOverAll(synchronizer);
                    synchronizer.finishStep();
                    if (c.rank() == 1) {
                        mistake.make(synchronizer);
                    } else {
                        handOverAll(synchronizer);
                    }
                    synchronizer.finishStep();
                }
            });
            for (Optional<Throwable> outcome : outcomes) {
                GradientException thrown = assertInstanceOf(GradientException.class, outcome.orElseThrow());
                String message = String.valueOf(thrown.getMessage());
                assertTrue(message.contains(sentence), message);
                assertTrue(message.contains("ank 1"), message);
            }
        }
    }

    @Test
    void anUnknownName() {
        assertAllHear(
                "there is no parameter 'fc2.bais'; did you mean 'fc2.bias'?",
                s -> s.gradientReady("fc2.bais", new float[7]));
    }

    @Test
    void anIndexThatIsNone() {
        assertAllHear("there is no parameter of index 3; there are 3.", s -> s.gradientReady(3, new float[7]));
    }

    @Test
    void theSameGradientTwice() {
        assertAllHear("was handed over twice", s -> {
            s.gradientReady("fc2.bias", new float[7]);
            s.gradientReady("fc2.bias", new float[7]);
        });
    }

    @Test
    void aWrongLength() {
        assertAllHear("has 6 elements, but 7 elements are expected", s -> s.gradientReady("fc2.bias", new float[6]));
        assertAllHear(
                "has 30 bytes, but 7 elements are expected",
                s -> s.gradientReady("fc2.bias", Arena.ofAuto().allocate(30)));
    }

    @Test
    void aWrongType() {
        assertAllHear("was handed over as a double[]", s -> s.gradientReady("fc2.bias", new double[7]));
        assertAllHear("was handed over as a float[]", s -> s.gradientReady("norm", new float[3]));
    }

    @Test
    void memoryThatCannotReceiveTheAverage() {
        assertAllHear(
                "read-only segment",
                s -> s.gradientReady(
                        "fc2.bias", MemorySegment.ofArray(new float[7]).asReadOnly()));
    }

    @Test
    void missingGradientsAreAllNamed() {
        assertAllHear(
                "finishStep() was called without 2 of 3 gradients: 'fc1.weight', 'norm'",
                s -> s.gradientReady("fc2.bias", new float[7]));
    }

    @Test
    void aRankThatLeavesInTheMiddleOfAStep() {
        assertAllHear("closed", s -> {
            s.gradientReady("fc2.bias", new float[7]);
            s.close();
            throw new GradientException("rank 1 has closed");
        });
    }

    @Test
    void aRankThatNeverComesIsNamedAfterTheDeadline() {
        CommunicatorOptions options = CommunicatorOptions.defaults().withTimeout(Duration.ofMillis(300));
        OverlapConfig config = OverlapConfig.builder()
                .communicationTimeout(Duration.ofMillis(300))
                .build();
        List<Optional<Throwable>> outcomes = Ranks.outcomes(Communicator.local(RANKS, options), c -> {
            try (KernelEngine engine = Ranks.engine();
                    var synchronizer = GradientSynchronizer.create(c, PARAMETERS, config, engine)) {
                if (c.rank() == 1) {
                    Thread.sleep(2_000);
                }
                handOverAll(synchronizer);
                synchronizer.finishStep();
            }
        });
        for (Optional<Throwable> outcome : outcomes) {
            String message = String.valueOf(outcome.orElseThrow().getMessage());
            assertTrue(message.contains("bucket 0 ("), message);
            assertTrue(message.contains("rank(s) [1] did not arrive"), message);
        }
    }

    @Test
    void useAfterClose() {
        Ranks.run(1, c -> {
            GradientSynchronizer synchronizer = GradientSynchronizer.create(c, PARAMETERS, OverlapConfig.defaults());
            synchronizer.close();
            synchronizer.close();
            for (org.junit.jupiter.api.function.Executable call : List.<org.junit.jupiter.api.function.Executable>of(
                    () -> synchronizer.gradientReady("norm", new double[3]),
                    synchronizer::finishStep,
                    () -> synchronizer.gradientView("norm"))) {
                GradientException thrown = assertThrows(GradientException.class, call);
                assertEquals("This synchronizer is closed; create another for further steps.", thrown.getMessage());
            }
        });
    }

    private static void assertAllRefuse(String sentence, List<List<Parameter>> lists, List<OverlapConfig> configs) {
        List<Optional<Throwable>> outcomes = Ranks.outcomes(
                Ranks.open(lists.size()),
                c -> GradientSynchronizer.create(c, lists.get(c.rank()), configs.get(c.rank()))
                        .close());
        for (Optional<Throwable> outcome : outcomes) {
            GradientException thrown = assertInstanceOf(GradientException.class, outcome.orElseThrow());
            assertEquals(sentence, thrown.getMessage());
        }
    }

    private static void assertAllRefuse(String sentence, List<List<Parameter>> lists) {
        assertAllRefuse(
                sentence, lists, List.of(OverlapConfig.defaults(), OverlapConfig.defaults(), OverlapConfig.defaults()));
    }

    @Test
    void parameterListsThatDifferAreRefusedOnEveryRank() {
        List<Parameter> fewer = List.of(PARAMETERS.get(0), PARAMETERS.get(2));
        assertAllRefuse(
                "Parameter 'norm' (FLOAT64, 3) is registered on ranks 0 and 2, but not on rank 1."
                        + " Register the same parameters on every rank.",
                List.of(PARAMETERS, fewer, PARAMETERS));
        List<Parameter> otherShape =
                List.of(Parameter.float32("fc1.weight", 4, 5), PARAMETERS.get(1), PARAMETERS.get(2));
        assertAllRefuse(
                "A parameter differs between the ranks: it is 'fc1.weight' (FLOAT32, 4x5) on rank 0, but"
                        + " 'fc1.weight' (FLOAT32, 5x4) on ranks 1 and 2. Register the same parameters on every rank.",
                List.of(otherShape, PARAMETERS, PARAMETERS));
    }

    @Test
    void settingsThatDifferAreRefusedOnEveryRank() {
        OverlapConfig other = OverlapConfig.builder().bucketBytes(4 << 20).build();
        assertAllRefuse(
                "The ranks are configured differently: bucketBytes is 26214400 on ranks 0 and 1, but 4194304 on rank 2.",
                List.of(PARAMETERS, PARAMETERS, PARAMETERS),
                List.of(OverlapConfig.defaults(), OverlapConfig.defaults(), other));
    }

    @Test
    void aNameThatIsTakenIsRefusedOnEveryRank() {
        List<Parameter> twice = List.of(PARAMETERS.get(0), PARAMETERS.get(0));
        assertAllRefuse(
                "Rank 2 cannot take part: Two parameters are called 'fc1.weight'; every parameter needs a name of its own.",
                List.of(PARAMETERS, PARAMETERS, twice));
    }

    /** Whichever rank is last, wherever it stands: close returns, and nothing is left running. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void closeReturnsWhileOthersWait(int leaver) {
        List<Optional<Throwable>> outcomes = Ranks.outcomes(Ranks.open(RANKS), c -> {
            try (var synchronizer = GradientSynchronizer.create(c, PARAMETERS, OverlapConfig.defaults())) {
                if (c.rank() != leaver) {
                    handOverAll(synchronizer);
                    synchronizer.finishStep();
                }
            }
        });
        for (int rank = 0; rank < RANKS; rank++) {
            if (rank == leaver) {
                assertTrue(outcomes.get(rank).isEmpty(), outcomes::toString);
            } else {
                String message = String.valueOf(outcomes.get(rank).orElseThrow().getMessage());
                assertTrue(message.contains("ank " + leaver), message);
            }
        }
    }
}
