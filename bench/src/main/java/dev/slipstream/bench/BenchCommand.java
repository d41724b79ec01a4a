package dev.slipstream.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The benchmarks. */
@Command(
        name = "bench",
        description = "Measure.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK",
        subcommands = {AllReduceCommand.class, KernelsCommand.class, JmhCommand.class, CompareCommand.class})
final class BenchCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Which benchmark? There are "
                        + String.join(", ", spec.subcommands().keySet()) + ".");
    }
}
