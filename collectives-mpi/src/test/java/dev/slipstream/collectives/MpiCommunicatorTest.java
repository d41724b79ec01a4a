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
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void nativeKeepsTheCommunicatorsPromises(int ranks) throws Exception {
        run(ranks, new MpiRun(), Strategy.NATIVE, 1, "values,faults");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void sharedMemoryKeepsTheCommunicatorsPromises(int ranks) throws Exception {
        run(ranks, new MpiRun(), Strategy.SHARED, 0, "values,faults");
    }

    @ParameterizedTest
    @ValueSource(ints = {3})
    void buffersLongerThanOneCallTakesAreSplit(int ranks) throws Exception {
        run(ranks, new MpiRun().jvm("-Dslipstream.mpi.maxBytes=1000"), Strategy.NATIVE, 1, "unchecked");
    }

    @Test
    void aKilledRankEndsTheJobAndIsNamed() throws Exception {
        for (Strategy strategy : List.of(Strategy.NATIVE, Strategy.SHARED)) {
            new MpiRun()
                    .limit(Duration.ofSeconds(20))
                    .run(3, MpiWorker.class, strategy.toString(), strategy == Strategy.SHARED ? "0" : "1", "killed")
                    .assertFailure()
                    .assertSays("slipstream: rank 1 (process ");
        }
    }

    private static void run(int ranks, MpiRun mpi, Strategy strategy, int localGroupSize, String what)
            throws Exception {
        MpiRun.Outcome outcome = mpi.run(
                        ranks, MpiWorker.class, strategy.toString(), Integer.toString(localGroupSize), what)
                .assertSuccess();
        for (int rank = 0; rank < ranks; rank++) {
            outcome.assertSays("rank " + rank + " done");
        }
    }
}
