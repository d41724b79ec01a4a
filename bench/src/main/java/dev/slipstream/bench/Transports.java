package dev.slipstream.bench;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorOptions;
import dev.slipstream.collectives.MpiLaunch;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where a job's ranks are: threads of this process, or the processes that mpirun started. */
enum Transports {
    LOCAL,
    MPI;

    /**
     * The transport that a user names; {@code auto} is mpi under mpirun, else local.
     *
     * @throws CommandException when there is no such transport, or it can't be used here
     */
    static Transports parse(String name) {
        boolean mpirun = MpiLaunch.isUnderMpirun();
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "auto" -> mpirun ? available() : LOCAL;
            case "mpi" -> available();
            case "local" -> {
                if (mpirun && MpiLaunch.worldSize() > 1) {
                    throw CommandException.usage(
                            "--transport local runs all ranks in one process, but mpirun has started "
                                    + MpiLaunch.worldSize() + ".",
                            "leave mpirun away, or use --transport mpi");
                }
                yield LOCAL;
            }
            case "nccl" ->
                throw CommandException.usage(
                        "The transport nccl is not supported yet.", "--transport mpi or local reduce in host memory");
            default ->
                throw CommandException.usage(
                        "Unknown transport '" + name + "'; known are auto, local, mpi, nccl.",
                        "auto takes mpi under mpirun, else local");
        };
    }

    private static Transports available() {
        Communicator.mpiUnavailable().ifPresent(reason -> {
            throw CommandException.usage(reason, "slipstream doctor says what is missing");
        });
        return MPI;
    }

    /** How many ranks run: as many as the user says, which under mpirun must be as many as it has started. */
    int ranks(Optional<Integer> given, int otherwise) {
        int ranks = given.orElse(this == MPI ? MpiLaunch.worldSize() : otherwise);
        if (ranks < 1) {
            throw CommandException.usage("--ranks must be at least 1, but is " + ranks + ".", "try --ranks 4");
        }
        if (this == MPI && ranks != MpiLaunch.worldSize()) {
            throw CommandException.usage(
                    "--ranks is " + ranks + ", but mpirun has started " + MpiLaunch.worldSize() + ".",
                    "leave --ranks away: mpirun -n says how many");
        }
        return ranks;
    }

    /** Whether this process is the one that reports. */
    boolean reports() {
        return this == LOCAL || MpiLaunch.rank() == 0;
    }

    /** Runs this process's ranks: all of them, or its own. */
    <T> List<T> run(int ranks, CommunicatorOptions options, LocalRanks.Body<T> body) {
        return switch (this) {
            case LOCAL -> LocalRanks.run(ranks, options, body);
            case MPI -> List.of(LocalRanks.runRank(Communicator.mpi(options), body));
        };
    }

    /** The name as users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
