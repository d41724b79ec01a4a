package dev.slipstream.collectives;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the same code on every rank of a local group, each on its own thread. */
final class Ranks {
    static final CommunicatorOptions OPTIONS = CommunicatorOptions.defaults().withTimeout(Duration.ofSeconds(20));

    interface Body {
        void run(Communicator communicator) throws Exception;
    }

    private Ranks() {}

    /** Runs all ranks and fails with the first rank's failure. */
    static void run(int ranks, Body body) {
        for (Throwable failure : failures(ranks, OPTIONS, body)) {
            if (failure != null) {
                throw new AssertionError(failure.getMessage(), failure);
            }
        }
    }

    /** Runs all ranks and returns what each threw, null where it threw nothing. */
    static List<@Nullable Throwable> failures(int ranks, CommunicatorOptions options, Body body) {
        List<Communicator> group = Communicator.local(ranks, options);
        @Nullable Throwable[] failures = new Throwable[ranks];
        List<Thread> threads = new ArrayList<>();
        for (Communicator communicator : group) {
            threads.add(Thread.ofPlatform().name("rank-" + communicator.rank()).start(() -> {
                try (communicator) {
                    body.run(communicator);
                } catch (Throwable e) {
                    failures[communicator.rank()] = e;
                }
            }));
        }
        for (Thread thread : threads) {
            try {
                if (!thread.join(Duration.ofSeconds(60))) {
                    throw new AssertionError(thread.getName() + " hangs at " + List.of(thread.getStackTrace()));
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        List<@Nullable Throwable> result = new ArrayList<>();
        for (Throwable failure : failures) {
            result.add(failure);
        }
        return result;
    }
}
