package dev.slipstream.bench;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorAbortedException;
import dev.slipstream.collectives.CommunicatorOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs the ranks of the local transport, each on a thread of its own. */
final class LocalRanks {
    /** What a rank does. */
    @FunctionalInterface
    interface Body<T> {
        T run(Communicator communicator) throws Exception;
    }

    private LocalRanks() {}

    /** Runs all ranks; their results in rank order, or the failure that the others' failures come from. */
    static <T> List<T> run(int ranks, CommunicatorOptions options, Body<T> body) {
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (Communicator communicator : Communicator.local(ranks, options)) {
            FutureTask<T> task = new FutureTask<>(() -> runRank(communicator, body));
            tasks.add(task);
            Thread.ofPlatform().daemon().name("rank-" + communicator.rank()).start(task);
        }
        List<T> results = new ArrayList<>();
        Throwable failure = null;
        for (FutureTask<T> task : tasks) {
            try {
                results.add(task.get());
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                if (failure == null || (isEcho(failure) && !isEcho(cause))) {
                    failure = cause;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandException.failed("Interrupted while the ranks were running.", "", e);
            }
        }
        return switch (failure) {
            case null -> results;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        };
    }

    /** Runs one rank on this thread, and closes it; its failure ends the others. */
    static <T> T runRank(Communicator communicator, Body<T> body) {
        try (communicator) {
            return body.run(communicator);
        } catch (RuntimeException | Error e) {
            communicator.abort("it failed: " + e.getMessage());
            throw e;
        } catch (Exception e) {
            communicator.abort("it failed: " + e.getMessage());
            throw new IllegalStateException(e);
        }
    }

    /** Whether a rank failed because another did. */
    private static boolean isEcho(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof CommunicatorAbortedException) {
                return true;
            }
        }
        return false;
    }
}
