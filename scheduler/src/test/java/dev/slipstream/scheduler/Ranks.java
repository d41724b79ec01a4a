package dev.slipstream.scheduler;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.kernels.KernelEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Runs the ranks of a test, each on a thread of its own. */
final class Ranks {
    /** Guards against a hang; nothing is measured by it. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    interface Body {
        void run(Communicator communicator) throws Exception;
    }

    private Ranks() {}

    static List<Communicator> open(int ranks) {
        return Communicator.local(ranks);
    }

    static KernelEngine engine() {
        return KernelEngine.cpu(1);
    }

    /** Runs the body on every rank; any failure is the test's. */
    static void run(int ranks, Body body) {
        run(open(ranks), body);
    }

    static void run(List<Communicator> ranks, Body body) {
        for (Optional<Throwable> failure : outcomes(ranks, body)) {
            if (failure.isPresent()) {
                throw new AssertionError(failure.get().toString(), failure.get());
            }
        }
    }

    /** Runs the body on every rank and returns what each has thrown, in rank order. */
    static List<Optional<Throwable>> outcomes(List<Communicator> ranks, Body body) {
        AtomicReferenceArray<@Nullable Throwable> thrown = new AtomicReferenceArray<>(ranks.size());
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            int index = rank;
            threads.add(Thread.ofPlatform().daemon().name("rank-" + rank).start(() -> {
                try (Communicator communicator = ranks.get(index)) {
                    body.run(communicator);
                } catch (Throwable e) {
                    thrown.set(index, e);
                }
            }));
        }
        List<Optional<Throwable>> outcomes = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            try {
                if (!threads.get(rank).join(PATIENCE)) {
                    AssertionError hang = new AssertionError("rank " + rank + " hangs");
                    hang.setStackTrace(threads.get(rank).getStackTrace());
                    throw hang;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            outcomes.add(Optional.ofNullable(thrown.get(rank)));
        }
        return outcomes;
    }
}
