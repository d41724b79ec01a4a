package dev.slipstream.emulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the groups of a launch, one after another, and in a group one work-item at a time.
 *
 * <p>Exactly one thread runs at any time: it has the baton. The launching thread starts with it and runs work-item after
 * work-item. One that meets a barrier stays where it is, and its thread hands the baton on: to another thread for the
 * work-items not yet started, or, when all have started, to the next one that the last barrier released. When nobody is
 * left to run, all must be waiting at the same barrier, or all have returned. State here is touched by the holder of the
 * baton only; handing it on orders the memory.
 */
final class WorkGroup {
    private final Launch launch;
    private final Grid grid;
    private final AccessClock clock;
    private final LocalMemory localMemory;
    private final int size;
    private final Runner launcher = new Runner(Thread.currentThread());
    private final List<Runner> runners = new ArrayList<>();
    private final ArrayDeque<Runner> idle = new ArrayDeque<>();
    private ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private ArrayDeque<Waiting> released = new ArrayDeque<>();
    private int number;
    private int started;
    private @Nullable WorkItem current;
    private Runner running = launcher;
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    /** A work-item at a barrier, and the thread that waits there. */
    private record Waiting(WorkItem item, WorkItem.Fence fence, Runner runner) {}

    WorkGroup(Launch launch, Grid grid, AccessClock clock, EmulatorOptions options) {
        this.launch = launch;
        this.grid = grid;
        this.clock = clock;
        size = grid.groupSize();
        localMemory = new LocalMemory(launch, options.localMemoryBytes());
    }

    /** Runs one group; returns when all its work-items have. */
    void run(int group) {
        number = group;
        started = 0;
        localMemory.clear();
        if (!runItems(launcher)) {
            launcher.await();
        }
    }

    /** Ends the threads of the launch, whatever they wait for. */
    void close() {
        stopped = true;
        runners.forEach(Runner::resume);
    }

    /** Runs the work-items that have not started, and then hands the baton on, unless the group is done: then true. */
    private boolean runItems(Runner self) {
        running = self;
        while (started < size) {
            WorkItem item = new WorkItem(this, grid, number, started++);
            enter(item);
            launch.call(item);
            localMemory.leave(item);
        }
        if (self != launcher) {
            idle.push(self);
        }
        Waiting next = released.poll();
        if (next != null) {
            next.runner.resume();
            return false;
        } else if (!waiting.isEmpty()) {
            throw divergent("only " + waiting.size() + " of the " + size + " work-items of group " + number
                    + " reach a barrier, " + waiting.getFirst().item + " among them; the others returned.");
        }
        if (self != launcher) {
            launcher.resume();
        }
        return true;
    }

    void barrier(WorkItem item, WorkItem.Fence fence) {
        localMemory.leave(item);
        Runner self = running;
        waiting.add(new Waiting(item, fence, self));
        if (started < size) {
            Runner other = idle.poll();
            (other != null ? other : newRunner()).resume();
            self.await();
        } else {
            if (released.isEmpty()) {
                release();
            }
            Waiting next = released.remove();
            if (next.item != item) {
                next.runner.resume();
                self.await();
            }
        }
        running = self;
        enter(item);
    }

    /** Nobody is left to run: all work-items must be at the same barrier. Releases them, the last to come first. */
    private void release() {
        WorkItem.Fence fence = waiting.getFirst().fence;
        if (waiting.size() < size) {
            throw divergent("only " + waiting.size() + " of the " + size + " work-items of group " + number
                    + " reach a barrier, " + waiting.getFirst().item + " among them; the others returned.");
        }
        for (Waiting each : waiting) {
            if (each.fence != fence) {
                throw divergent(waiting.getFirst().item + " waits at a " + name(fence) + ", " + each.item + " at a "
                        + name(each.fence) + ".");
            }
        }
        localMemory.publish();
        if (fence == WorkItem.Fence.GLOBAL) {
            clock.startPhase(size);
        }
        while (!waiting.isEmpty()) {
            released.add(waiting.removeLast());
        }
    }

    private static String name(WorkItem.Fence fence) {
        return fence == WorkItem.Fence.LOCAL ? "localBarrier" : "globalBarrier";
    }

    private KernelFault divergent(String message) {
        return launch.groupFault(KernelFault.Kind.DIVERGENT_BARRIER, message);
    }

    private void enter(WorkItem item) {
        current = item;
        clock.enter(item.number());
    }

    private Runner newRunner() {
        Runner runner = new Runner(null);
        runners.add(runner);
        return runner;
    }

    int number() {
        return number;
    }

    LocalMemory localMemory() {
        return localMemory;
    }

    AccessClock clock() {
        return clock;
    }

    WorkItem current() {
        if (current == null) {
            throw new IllegalStateException("No work-item is running.");
        }
        return current;
    }

    /** A thread that runs work-items while it has the baton. */
    private final class Runner {
        private final Thread thread;
        private volatile boolean resumed;

        Runner(@Nullable Thread existing) {
            thread = existing != null ? existing : Thread.ofVirtual().unstarted(this::loop);
            if (existing == null) {
                thread.start();
            }
        }

        private void loop() {
            try {
                while (true) {
                    await();
                    runItems(this);
                }
            } catch (Stopped e) {
                // The launch is over.
            } catch (Throwable e) {
                failure = e;
                stopped = true;
                launcher.resume();
            }
        }

        void resume() {
            resumed = true;
            LockSupport.unpark(thread);
        }

        /** Waits for the baton. */
        void await() {
            while (!resumed && !stopped) {
                LockSupport.park(this);
            }
            resumed = false;
            if (stopped) {
                throw this == launcher && failure != null ? rethrow(failure) : new Stopped();
            }
        }
    }

    private static Error rethrow(Throwable failure) {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        return failure instanceof Error error ? error : new AssertionError(failure);
    }

    /** Unwinds a kernel whose launch is over. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("The launch is over.", null, false, false);
        }
    }
}
