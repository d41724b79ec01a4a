package dev.slipstream.bench;

import dev.slipstream.bench.jmh.KernelBenchmark;
import dev.slipstream.kernels.EngineKind;
import dev.slipstream.kernels.EngineOptions;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.kernels.KernelException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the JMH benchmarks, with the gc profiler. */
@Command(
        name = "jmh",
        description = {
            "Run the JMH benchmarks: kernels by engine and size, all-reduce between threads, the scheduler's cost per"
                    + " gradient. Each is run in a JVM of its own, with the bytes that it allocates."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class JmhCommand implements Runnable {
    @Parameters(
            index = "0",
            arity = "0..1",
            defaultValue = ".*",
            paramLabel = "PATTERN",
            description = "Which: a regular expression (default: all).")
    private String pattern = ".*";

    @Option(names = "--list", description = "Only name the benchmarks.")
    private boolean list;

    @Option(
            names = {"-p", "--param"},
            paramLabel = "NAME=A,B",
            description = "Values of a parameter, such as -p bytes=65536,1048576 or -p engine=cpu.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--quick",
            description = "One iteration of 0.1 s in place of several of 1 s: shows that all run, and little more.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write JMH's own JSON, which bench compare reads.")
    private Optional<Path> json = Optional.empty();

    @Override
    public void run() {
        List<String> found = benchmarks(pattern);
        if (found.isEmpty()) {
            throw CommandException.usage(
                    "No benchmark matches '" + pattern + "'.", "bench jmh --list names all of them");
        }
        if (list) {
            found.forEach(System.out::println);
            return;
        }
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(pattern)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true);
        if (!parameters.containsKey("engine")) {
            options.param("engine", engines(found));
        }
        parameters.forEach((name, values) -> options.param(name, values.split(",", -1)));
        if (quick) {
            options.warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(100));
        }
        json.ifPresent(file -> options.result(file.toString()).resultFormat(ResultFormatType.JSON));
        try {
            new Runner(options.build()).run();
        } catch (RunnerException e) {
            throw CommandException.failed("JMH: " + e.getMessage(), "its output above says where", e);
        }
    }

    /** Full names, sorted. */
    private static List<String> benchmarks(String pattern) {
        return BenchmarkList.defaultList()
                .find(
                        OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                        List.of(pattern),
                        List.of())
                .stream()
                .map(entry -> entry.getUsername())
                .distinct()
                .sorted()
                .toList();
    }

    /** What the kernels run on: plain loops, the processor's vectors, and TornadoVM's device where there is one. */
    private static String[] engines(List<String> benchmarks) {
        String kernels = KernelBenchmark.class.getName();
        if (benchmarks.stream().noneMatch(name -> name.startsWith(kernels))) {
            return new String[] {"cpu"};
        }
        try (KernelEngine tornado = KernelEngine.open(EngineOptions.of(EngineKind.TORNADO))) {
            System.out.println("# engine tornado: " + tornado.description());
            return new String[] {"scalar", "cpu", "tornado"};
        } catch (KernelException e) {
            System.out.println("# no engine tornado: " + e.getMessage());
            return new String[] {"scalar", "cpu"};
        }
    }
}
