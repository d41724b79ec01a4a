package dev.slipstream.collectives;

import dev.slipstream.collectives.mpi.MpiRun;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mpi transport under a real mpirun. The checks themselves are in {@link MpiWorker}. */
@Tag("mpi")
final class MpiCommunicatorTest {
    /** Groups of at most one rank have nothing but MPI. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void everyStrategyKeepsTheCommunicatorsPromises(int ranks) throws Exception {
        run(
                ranks,
                new MpiRun(),
                "native:1:all",
                "shared:0:all",
                "ring:1:values",
                "tree:1:values",
                "pipeline:0:values",
                "auto:0:all",
                "auto:0:chooses",
                "auto:2:chooses",
                "hierarchical:2:all",
                "hierarchical:1:values");
    }

    @Test
    void buffersLongerThanOneCallTakesAreSplit() throws Exception {
        run(3, new MpiRun().jvm("-Dslipstream.mpi.maxBytes=1000"), "native:1:unchecked", "hierarchical:2:values");
    }

    @Test
    void aKilledRankEndsTheJobAndIsNamed() throws Exception {
        for (String what : List.of("native:1:killed", "shared:0:killed")) {
            new MpiRun()
                    .limit(Duration.ofSeconds(20))
                    .run(3, MpiWorker.class, what)
                    .assertFailure()
                    .assertSays("slipstream: rank 1 (process ");
        }
    }

    private static void run(int ranks, MpiRun mpi, String... what) throws Exception {
        MpiRun.Outcome outcome = mpi.limit(Duration.ofMinutes(3))
                .run(ranks, MpiWorker.class, what)
                .assertSuccess();
        for (int rank = 0; rank < ranks; rank++) {
            outcome.assertSays("rank " + rank + " done");
        }
    }
}
