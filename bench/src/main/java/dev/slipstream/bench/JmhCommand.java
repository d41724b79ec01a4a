package dev.slipstream.bench;

import java.nio.file.Path;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the JMH benchmarks, with the gc profiler. */
@Command(name = "jmh", description = "Run the JMH benchmarks.", mixinStandardHelpOptions = true)
final class JmhCommand implements Runnable {
    @Parameters(
            index = "0",
            arity = "0..1",
            defaultValue = ".*",
            paramLabel = "PATTERN",
            description = "Which: a regular expression (default: all).")
    private String pattern = ".*";

    @Option(names = "--json", paramLabel = "FILE", description = "Write JMH's own JSON.")
    private Optional<Path> json = Optional.empty();

    @Override
    public void run() {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(pattern)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true);
        json.ifPresent(file -> options.result(file.toString()).resultFormat(ResultFormatType.JSON));
        try {
            if (new Runner(options.build()).run().isEmpty()) {
                throw CommandException.usage("No benchmark matches '" + pattern + "'.", "bench jmh runs all of them");
            }
        } catch (RunnerException e) {
            throw CommandException.failed("JMH: " + e.getMessage(), "", e);
        }
    }
}
