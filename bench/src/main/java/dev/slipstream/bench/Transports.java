package dev.slipstream.bench;

import dev.slipstream.collectives.CommunicatorOptions;
import java.util.List;
import java.util.Optional;

/** Chooses the transport by name, and runs a job's ranks on it. */
final class Transports {
    private Transports() {}

    /** The transport that a name stands for: {@code local} or {@code mpi}. */
    static String name(String asked) {
        return switch (asked) {
            case "auto", "local" -> "local";
            case "mpi", "nccl" ->
                throw CommandException.usage(
                        "The transport " + asked + " is not supported yet.", "--transport local runs in one process");
            default ->
                throw CommandException.usage(
                        "Unknown transport '" + asked + "'; known are auto, local, mpi, nccl.",
                        "auto takes mpi under mpirun, else local");
        };
    }

    /** How many ranks run. */
    static int ranks(String asked, Optional<Integer> given, int otherwise) {
        name(asked);
        int ranks = given.orElse(otherwise);
        if (ranks < 1) {
            throw CommandException.usage("--ranks must be at least 1, but is " + ranks + ".", "try --ranks 4");
        }
        return ranks;
    }

    /** Whether this process is the one that reports. */
    static boolean isReporter(String asked) {
        return name(asked).equals("local");
    }

    /** Runs this process's ranks: all of them on the local transport. */
    static <T> List<T> run(String asked, int ranks, CommunicatorOptions options, LocalRanks.Body<T> body) {
        name(asked);
        return LocalRanks.run(ranks, options, body);
    }
}
