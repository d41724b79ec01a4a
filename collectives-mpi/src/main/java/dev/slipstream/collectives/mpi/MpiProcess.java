package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.CollectiveException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one MPI of this process: initialised at the first use, finalised on every way out. Both happen on one thread of its
 * own, as the standard asks, and so does whatever MPI offers only as a blocking call; callers wait there with a deadline.
 */
final class MpiProcess {
    private static final Logger LOG = LoggerFactory.getLogger(MpiProcess.class);

    /** How long a process whose group has failed waits for the others in MPI_Finalize. */
    private static final Duration FINALIZE_AFTER_FAILURE = Duration.ofSeconds(2);

    private static final Duration LEAST_OPENING = Duration.ofSeconds(30);

    private static final Duration INITIALIZE = Duration.ofMinutes(2);

    private final MpiBinding binding;
    private final ExecutorService thread;
    private final MpiBinding.Comm world;
    private final PeerWatch watch;
    private final List<Retired> retired = new ArrayList<>();

    /** Why MPI_Finalize may not come to an end; empty while nothing has failed. */
    private final AtomicReference<String> failure = new AtomicReference<>("");

    /** Holds MPI by initialisation on demand: the JVM sees to it that it happens once. */
    private static final class Holder {
        static final MpiProcess MPI = new MpiProcess(Bindings.choose());

        private Holder() {}
    }

    private MpiProcess(MpiBinding binding) {
        this.binding = binding;
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread created = new Thread(task, "slipstream-mpi");
            created.setDaemon(true);
            return created;
        });
        world = onMpiThread(
                "MPI_Init_thread",
                () -> {
                    binding.initialize();
                    return binding.world();
                },
                INITIALIZE);
        watch = onMpiThread("MPI_Comm_split_type", () -> PeerWatch.start(world), INITIALIZE);
        Runtime.getRuntime().addShutdownHook(new Thread(this::finish, "slipstream-mpi-finalize"));
        LOG.debug("{} through {}, rank {} of {}", binding.libraryVersion(), binding.name(), world.rank(), world.size());
    }

    /**
     * This process's MPI, initialised.
     *
     * @throws CollectiveException when it is not available, with the reason and the remedy
     */
    static MpiProcess get() {
        Optional<String> missing = unavailable();
        if (missing.isPresent()) {
            throw new CollectiveException(missing.get());
        }
        return Holder.MPI;
    }

    /** {@code mpi: not available, because REASON}; empty when it is available. Doesn't initialise MPI. */
    static Optional<String> unavailable() {
        return Bindings.missing().map(reason -> "mpi: not available, because " + reason + ".");
    }

    /** The longest buffer of one call of MPI; the system property {@code slipstream.mpi.maxBytes} lowers it, for tests. */
    long maxBytes() {
        return Math.min(binding.maxBytes(), Long.getLong("slipstream.mpi.maxBytes", Long.MAX_VALUE) & -8L);
    }

    /** How many ranks mpirun started on this host; all of them, where it doesn't say. */
    int ranksOnThisHost() {
        String local = System.getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
        return local == null ? world.size() : Integer.parseInt(local);
    }

    /**
     * How long a rank waits for the others to open a communicator: a dozen blocking calls of MPI, among ranks that may not
     * have started to wait together.
     */
    Duration openingTimeout(Duration timeout) {
        return timeout.compareTo(LEAST_OPENING) < 0 ? LEAST_OPENING : timeout;
    }

    /** Takes over what a closed communicator leaves behind, and frees what can be freed of it and of earlier ones. */
    void retire(Retired closed) {
        synchronized (retired) {
            retired.add(closed);
            retired.removeIf(Retired::tryFree);
        }
    }

    MpiBinding binding() {
        return binding;
    }

    /** MPI_COMM_WORLD: only to be duplicated, so that no message of ours meets one of the application's. */
    MpiBinding.Comm world() {
        return world;
    }

    /** Runs a call that blocks in MPI and can't be polled; gives up waiting for it after {@code timeout}. */
    <T> T onMpiThread(String what, Callable<T> call, Duration timeout) {
        Future<T> result = thread.submit(call);
        try {
            return result.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            String reason = what + " did not return within " + timeout + ": a rank is missing or can't be reached.";
            fail(reason);
            throw new CollectiveException(reason);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CollectiveException failed) {
                throw new CollectiveException(String.valueOf(failed.getMessage()), failed);
            }
            throw new IllegalStateException(what + " failed: " + e.getCause(), e);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            fail(what + " was interrupted");
            throw new CollectiveException("Interrupted while waiting for " + what + ".");
        }
    }

    /** Notes that this job can't end well, so that this process doesn't wait for the others at its end. */
    void fail(String reason) {
        failure.compareAndSet("", reason);
    }

    /** Runs in the shutdown hook, after exit(), the last non-daemon thread's end, or SIGTERM. */
    private void finish() {
        watch.lost(world.rank()).ifPresent(lost -> {
            // mpirun has noticed as well and sent SIGTERM.
            System.err.println(lost);
            Runtime.getRuntime().halt(1);
        });
        watch.stop();
        String failed = failure.get();
        synchronized (retired) {
            retired.removeIf(Retired::tryFree);
            retired.forEach(closed -> closed.control().stop());
        }
        Future<?> done = thread.submit(binding::finalizeMpi);
        try {
            if (failed.isEmpty()) {
                // The others may train on for hours: mpirun ends us when one of them dies.
                done.get();
            } else {
                done.get(FINALIZE_AFTER_FAILURE.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException late) {
            System.err.println("slipstream: this process ends without MPI_Finalize, which waits for the other ranks: "
                    + failed + " Should a process stay behind on another host, end it there.");
            // An exit without MPI_Finalize tells mpirun to end the other ranks; a normal exit code would hide the
            // failure.
            Runtime.getRuntime().halt(1);
        } catch (ExecutionException e) {
            System.err.println("slipstream: " + e.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
