package dev.slipstream.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line under a real mpirun. */
@Tag("mpi")
class MpirunTest {
    private record Outcome(int exitCode, String text) {}

    private static Outcome mpirun(int ranks, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "mpirun",
                "-n",
                Integer.toString(ranks),
                "--oversubscribe",
                "--bind-to",
                "none",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.slipstream.bench.Slipstream"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "mpirun hangs");
        return new Outcome(process.exitValue(), text);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void trainingOnProcessesEqualsTrainingOnOneRank(int ranks) throws Exception {
        Outcome outcome = mpirun(ranks, "train", "--epochs", "3", "--verify", "--engine", "cpu", "--bucket-mb", "0.05");
        assertEquals(0, outcome.exitCode(), outcome.text());
        assertTrue(outcome.text().contains("bit-identical on all " + ranks + " ranks"), outcome.text());
        assertEquals(2, outcome.text().split("epoch 3/3", -1).length, "rank 0 alone reports: " + outcome.text());
    }

    @Test
    void allReduceOfEveryStrategyIsRight() throws Exception {
        Outcome outcome = mpirun(
                3,
                "bench",
                "allreduce",
                "--strategy",
                "auto,shared,native",
                "--min",
                "4",
                "--max",
                "300K",
                "--factor",
                "60");
        assertEquals(0, outcome.exitCode(), outcome.text());
        assertEquals(
                9,
                outcome.text()
                        .lines()
                        .filter(line -> line.contains(" float32 "))
                        .count(),
                outcome.text());
    }

    @Test
    void wrongUsageEndsTheJob() throws Exception {
        Outcome outcome = mpirun(2, "train", "--ranks", "3");
        assertEquals(2, outcome.exitCode(), outcome.text());
        assertTrue(outcome.text().contains("--ranks is 3, but mpirun has started 2"), outcome.text());
        Outcome data = mpirun(2, "train", "--data", "/no/such/file");
        assertEquals(1, data.exitCode(), data.text());
        assertTrue(data.text().contains("/no/such/file can't be read: there is no such file"), data.text());
    }
}
