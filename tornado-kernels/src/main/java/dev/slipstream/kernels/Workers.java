package dev.slipstream.kernels;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a cpu engine. A kernel's elements are cut into one contiguous part per thread, always in the same places,
 * so that results do not depend on who works when. While one kernel has the threads, another does all parts on its own.
 */
final class Workers implements AutoCloseable {
    /** Below this many elements a part is not worth waking a thread for: about 20 microseconds of work. */
    static final long GRAIN = 1 << 16;

    /** Parts begin at multiples of this many elements: a cache line of 16-bit elements, and two vectors. */
    private static final long ALIGN = 64;

    /** Work on a part of a kernel's elements. */
    @FunctionalInterface
    interface Part {
        /**
         * Works on one part.
         *
         * @param part 0 to {@link Workers#parts(long)} - 1
         * @param from first element
         * @param to first element after the part
         */
        void run(int part, long from, long to);
    }

    private final int threads;
    private final @Nullable ThreadPoolExecutor pool;
    private final ReentrantLock busy = new ReentrantLock();

    Workers(int threads) {
        this.threads = threads;
        pool = threads == 1
                ? null
                : new ThreadPoolExecutor(
                        threads - 1,
                        threads - 1,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> Thread.ofPlatform()
                                .daemon()
                                .name("slipstream-kernel")
                                .unstarted(task));
    }

    int threads() {
        return threads;
    }

    /** How many parts that many elements are cut into. */
    int parts(long elements) {
        return Math.clamp(elements / GRAIN, 1, threads);
    }

    /** Where a part begins; the end of the last one is {@code elements}. */
    private static long start(int part, int parts, long elements) {
        return part == parts ? elements : elements / parts * part / ALIGN * ALIGN;
    }

    /** Runs all parts and returns when they are done; what a part throws is thrown here, after all have ended. */
    void run(long elements, Part task) {
        int parts = parts(elements);
        if (parts == 1 || pool == null || !busy.tryLock()) {
            for (int part = 0; part < parts; part++) {
                task.run(part, start(part, parts, elements), start(part + 1, parts, elements));
            }
            return;
        }
        try {
            runTogether(pool, parts, elements, task);
        } finally {
            busy.unlock();
        }
    }

    private static void runTogether(ThreadPoolExecutor pool, int parts, long elements, Part task) {
        CountDownLatch done = new CountDownLatch(parts - 1);
        Throwable[] failures = new Throwable[parts];
        for (int i = 1; i < parts; i++) {
            int part = i;
            pool.execute(() -> {
                try {
                    task.run(part, start(part, parts, elements), start(part + 1, parts, elements));
                } catch (Throwable e) {
                    failures[part] = e;
                } finally {
                    done.countDown();
                }
            });
        }
        try {
            task.run(0, 0, start(1, parts, elements));
        } catch (Throwable e) {
            failures[0] = e;
        }
        awaitUninterruptibly(done);
        for (Throwable failure : failures) {
            if (failure instanceof RuntimeException e) {
                throw e;
            } else if (failure instanceof Error e) {
                throw e;
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch done) {
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.shutdown();
        }
    }
}
