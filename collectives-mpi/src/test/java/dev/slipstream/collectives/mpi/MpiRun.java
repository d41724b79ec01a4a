package dev.slipstream.collectives.mpi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a worker's main method under a real mpirun, and ends it when it takes too long. */
public final class MpiRun {
    private final List<String> mpirunOptions = new ArrayList<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private Duration limit = Duration.ofMinutes(4);

    /** What came of it. */
    public record Outcome(int exitCode, String output) {
        /** Fails with the job's output unless it ended well. */
        public Outcome assertSuccess() {
            if (exitCode != 0) {
                throw new AssertionError("The job ended with exit code " + exitCode + ":\n" + output);
            }
            return this;
        }

        public Outcome assertFailure() {
            if (exitCode == 0) {
                throw new AssertionError("The job should have failed, but ended with exit code 0:\n" + output);
            }
            return this;
        }

        public Outcome assertSays(String text) {
            if (!output.contains(text)) {
                throw new AssertionError("The job should have said '" + text + "':\n" + output);
            }
            return this;
        }
    }

    public MpiRun mpirun(String... options) {
        mpirunOptions.addAll(List.of(options));
        return this;
    }

    public MpiRun jvm(String... options) {
        jvmOptions.addAll(List.of(options));
        return this;
    }

    public MpiRun limit(Duration newLimit) {
        limit = newLimit;
        return this;
    }

    /** Runs {@code main} on {@code ranks} ranks and waits for the end of the job. */
    public Outcome run(int ranks, Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("mpirun", "--oversubscribe", "--bind-to", "none"));
        command.addAll(mpirunOptions);
        command.addAll(List.of("-n", Integer.toString(ranks)));
        command.addAll(javaCommand(main, arguments));
        return run(command, limit);
    }

    List<String> javaCommand(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=4",
                "-Xshare:auto"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    static Outcome run(List<String> command, Duration limit) throws IOException, InterruptedException {
        Path output = Files.createTempFile("slipstream-mpirun", ".log");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
            builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            if (!ended) {
                throw new AssertionError("The job was still running after " + limit + " and was ended:\n" + text);
            }
            return new Outcome(process.exitValue(), text);
        } finally {
            Files.delete(output);
        }
    }
}
