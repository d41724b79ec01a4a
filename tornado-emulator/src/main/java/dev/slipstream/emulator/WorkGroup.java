package dev.slipstream.emulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * Runs the groups of a launch, one after another, and in a group one work-item at a time.
 *
 * <p>Work-items run in lanes, each a coroutine that takes one work-item after another. A lane whose work-item meets a
 * barrier pauses there, and another lane takes the work-items that have not started; so a kernel without barriers needs
 * one lane, and one with barriers as many as a group has work-items. When all have started, those that wait must be all at
 * the same barrier; then they go on, in order, to the next.
 */
final class WorkGroup {
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final Launch launch;
    private final Grid grid;
    private final AccessClock clock;
    private final LocalMemory localMemory;
    private final int size;
    private final List<Lane> lanes = new ArrayList<>();
    private final ArrayDeque<Lane> idle = new ArrayDeque<>();
    private List<Lane> waiting = new ArrayList<>();
    private int number;
    private int started;
    private @Nullable Lane running;

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
        while (started < size) {
            advance(idle.isEmpty() ? new Lane() : idle.pop());
        }
        while (!waiting.isEmpty()) {
            List<Lane> released = release();
            waiting = new ArrayList<>(size);
            released.forEach(this::advance);
        }
    }

    /** Lets a lane run to its next barrier, or until it has no work-item. */
    private void advance(Lane lane) {
        running = lane;
        lane.coroutine.resume();
        if (lane.fence == null) {
            idle.push(lane);
        } else {
            waiting.add(lane);
        }
    }

    /** Ends a barrier that all work-items must have reached. */
    private List<Lane> release() {
        Lane first = waiting.getFirst();
        if (waiting.size() < size) {
            throw divergent("only " + waiting.size() + " of the " + size + " work-items of group " + number
                    + " reach a " + first.barrier() + ", " + first.item + " among them; the others have returned.");
        }
        for (Lane lane : waiting) {
            if (lane.fence != first.fence || !lane.site.equals(first.site)) {
                throw divergent(first.item + " waits at the " + first.barrier() + first.site + ", but " + lane.item
                        + " at the " + lane.barrier() + lane.site + ".");
            }
        }
        localMemory.publish();
        if (first.fence == WorkItem.Fence.GLOBAL) {
            clock.startPhase(size);
        }
        return waiting;
    }

    private KernelFault divergent(String message) {
        return launch.groupFault(KernelFault.Kind.DIVERGENT_BARRIER, message);
    }

    /** A work-item has come to a barrier; returns when all have. */
    void barrier(WorkItem item, WorkItem.Fence fence) {
        Lane lane = running();
        localMemory.leave(item);
        lane.fence = fence;
        // Walking the stack costs more than the barrier, so only the first group must agree on the line.
        lane.site = number == 0 ? callSite() : "";
        lane.coroutine.pause();
        lane.fence = null;
        clock.enter(item.number());
    }

    private static String callSite() {
        return STACK.walk(frames -> frames.dropWhile(frame -> frame.getDeclaringClass() == WorkGroup.class
                        || frame.getDeclaringClass() == WorkItem.class
                        || frame.getDeclaringClass() == KernelContext.class)
                .findFirst()
                .map(frame ->
                        " in " + frame.getMethodName() + " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                .orElse(""));
    }

    /** Gives up what a fault left waiting. */
    void close() {
        lanes.forEach(lane -> lane.coroutine.stop());
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

    private Lane running() {
        if (running == null) {
            throw new IllegalStateException("No work-item is running.");
        }
        return running;
    }

    /** The work-item that is running. */
    WorkItem current() {
        return running().item;
    }

    private final class Lane {
        private final Coroutine coroutine = Coroutine.of(this::work);
        private WorkItem item = new WorkItem(WorkGroup.this, grid, number, started);
        private WorkItem.@Nullable Fence fence;
        private String site = "";

        Lane() {
            lanes.add(this);
        }

        private void work() {
            while (true) {
                while (started < size) {
                    item = new WorkItem(WorkGroup.this, grid, number, started++);
                    clock.enter(item.number());
                    launch.call(item);
                    localMemory.leave(item);
                }
                coroutine.pause();
            }
        }

        String barrier() {
            return fence == WorkItem.Fence.GLOBAL ? "globalBarrier" : "localBarrier";
        }
    }
}
