package dev.slipstream.emulator;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** One run of a task over its grid; what goes wrong in it is described here. */
final class Launch {
    private final RecordedTask task;
    private final Grid grid;
    private final Function<WorkItem, Object> contexts;
    private final AccessClock clock;
    private final @Nullable DeviceBuffer[] buffers;
    private final Object[] arguments;
    private final long[] groupStarts;
    private final WorkGroup group;

    /**
     * A launch.
     *
     * @param buffers for each argument of the task: its copy on the device, or null where it is no array
     */
    Launch(
            RecordedTask task,
            @Nullable DeviceBuffer[] buffers,
            Grid grid,
            Function<WorkItem, Object> contexts,
            AccessClock clock,
            EmulatorOptions options) {
        this.task = task;
        this.grid = grid;
        this.contexts = contexts;
        this.clock = clock;
        this.buffers = buffers;
        arguments = task.arguments().toArray();
        for (int position = 0; position < arguments.length; position++) {
            DeviceBuffer buffer = buffers[position];
            if (buffer != null) {
                arguments[position] = ArrayViews.of((TornadoNativeArray) arguments[position], buffer);
            }
        }
        groupStarts = new long[grid.groups()];
        group = new WorkGroup(this, grid, clock, options);
    }

    void run() {
        clock.startLaunch(this);
        try {
            Coroutine.own(this::runGroups);
        } finally {
            group.close();
            clock.endLaunch();
        }
    }

    private void runGroups() {
        for (int number = 0; number < groupStarts.length; number++) {
            groupStarts[number] = clock.startGroup(grid.groupSize());
            group.run(number);
        }
    }

    /** Runs the kernel for one work-item, on this thread. */
    void call(WorkItem item) {
        if (task.context() >= 0) {
            arguments[task.context()] = contexts.apply(item);
        }
        try {
            task.body().run(arguments);
        } catch (KernelFault fault) {
            throw fault;
        } catch (IndexOutOfBoundsException e) {
            throw fault(KernelFault.Kind.OUT_OF_BOUNDS, -1, "uses an array out of bounds: " + e.getMessage() + ".", e);
        } catch (RuntimeException e) {
            throw fault(KernelFault.Kind.KERNEL_EXCEPTION, -1, "threw " + e + ".", e);
        }
    }

    KernelFault fault(KernelFault.Kind kind, long index, String what, @Nullable Throwable cause) {
        WorkItem item = group.current();
        return new KernelFault(kind, task.name(), item.globalNumber(), index, item + " " + what, cause);
    }

    /** A fault of the group as a whole. */
    KernelFault groupFault(KernelFault.Kind kind, String message) {
        return new KernelFault(kind, task.name(), message);
    }

    KernelFault outOfBounds(DeviceBuffer buffer, int index, String verb) {
        return fault(
                KernelFault.Kind.OUT_OF_BOUNDS,
                index,
                verb + " element " + index + " of " + name(buffer) + ": out of bounds.",
                null);
    }

    KernelFault unwritten(DeviceBuffer buffer, int index, boolean written) {
        return fault(
                KernelFault.Kind.UNWRITTEN_READ,
                index,
                "reads element " + index + " of " + name(buffer) + ", which nothing wrote"
                        + (written ? "." : "; no transferToDevice or earlier task fills the array."),
                null);
    }

    KernelFault conflict(DeviceBuffer buffer, int index, long earlier, String verb) {
        return unordered(KernelFault.Kind.CONFLICTING_WRITES, buffer, index, earlier, verb, "wrote");
    }

    KernelFault race(DeviceBuffer buffer, int index, long earlier, String verb, String earlierVerb) {
        return unordered(KernelFault.Kind.READ_WRITE_RACE, buffer, index, earlier, verb, earlierVerb);
    }

    private KernelFault unordered(
            KernelFault.Kind kind, DeviceBuffer buffer, int index, long earlier, String verb, String earlierVerb) {
        return fault(
                kind,
                index,
                verb + " element " + index + " of " + name(buffer) + ", which " + who(earlier) + " " + earlierVerb
                        + "; nothing orders the two (a globalBarrier does within a group, only another task does"
                        + " between groups).",
                null);
    }

    private String who(long stamp) {
        if (clock.own(stamp)) {
            return "another work-item";
        }
        int at = Arrays.binarySearch(groupStarts, 0, group.number() + 1, AccessClock.time(stamp));
        int number = at >= 0 ? at : -at - 2;
        int item = AccessClock.item(stamp, groupStarts[number], grid.groupSize());
        return new WorkItem(group, grid, number, item).toString();
    }

    /** How the task's author knows a buffer: by its place among the arguments. */
    String name(DeviceBuffer buffer) {
        return "argument " + (Arrays.asList(buffers).indexOf(buffer) + 1) + " (" + buffer + ")";
    }
}
