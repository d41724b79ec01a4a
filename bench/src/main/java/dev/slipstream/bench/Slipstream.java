package dev.slipstream.bench;

import dev.slipstream.collectives.CollectiveException;
import dev.slipstream.kernels.KernelException;
import dev.slipstream.scheduler.GradientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line. Exit codes: 0 done; 1 the run failed; 2 wrong usage or configuration. */
@Command(
        name = "slipstream",
        description = "Gradient synchronisation for data-parallel training on the JVM.",
        subcommands = {TrainCommand.class, BenchCommand.class, DoctorCommand.class, Slipstream.Test.class},
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        version = "slipstream 0.1.0-SNAPSHOT")
public final class Slipstream {
    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show stack traces.")
    private boolean debug;

    private Slipstream() {}

    /** Only for the help page: the launcher itself runs the tests. */
    @Command(name = "test", description = "Run every test that this machine can run.")
    static final class Test implements Runnable {
        @Override
        public void run() {
            throw CommandException.usage(
                    "The tests are run by the launcher, from a source tree.", "use ./slipstream test");
        }
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs a command and returns its exit code. */
    static int run(String... arguments) {
        Slipstream slipstream = new Slipstream();
        CommandLine line = new CommandLine(slipstream)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, given) -> explainUsage(e))
                .setExecutionExceptionHandler((e, command, parsed) -> slipstream.explain(e, command));
        if (arguments.length == 0) {
            line.usage(System.out);
            return 0;
        }
        return line.execute(arguments);
    }

    private static int explainUsage(ParameterException e) {
        String hint = "see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getSuggestions().isEmpty()) {
            hint = "did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?";
        }
        say(e, e.getMessage(), hint);
        return CommandException.USAGE;
    }

    private int explain(Exception e, CommandLine command) {
        if (debug) {
            e.printStackTrace(command.getErr());
        }
        return switch (e) {
            case CommandException known -> {
                say(e, known.getMessage(), known.hint());
                yield known.exitCode();
            }
            case KernelException known -> {
                say(e, known.getMessage(), "--engine cpu runs everywhere");
                yield CommandException.FAILED;
            }
            case GradientException known -> {
                say(e, known.getMessage(), "");
                yield CommandException.FAILED;
            }
            case CollectiveException known -> {
                say(e, known.getMessage(), "");
                yield CommandException.FAILED;
            }
            default -> {
                say(e, "unexpected " + e, "this is a defect: --debug shows where");
                yield CommandException.FAILED;
            }
        };
    }

    private static void say(Exception e, @Nullable String message, String hint) {
        System.err.println("slipstream: " + (message == null ? e.toString() : message));
        if (!hint.isEmpty()) {
            System.err.println("hint: " + hint);
        }
    }
}
