package dev.slipstream.emulator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.WorkerGrid;

/** The work-items of a launch and of each group, in three dimensions. Built only when a device could take it. */
record Grid(int globalX, int globalY, int globalZ, int localX, int localY, int localZ) {
    /** The grid of a task that has no KernelContext: its loops run in one work-item. */
    static final Grid SINGLE = new Grid(1, 1, 1, 1, 1, 1);

    private static final int DEFAULT_GROUP = 256;

    static Grid of(String task, @Nullable WorkerGrid worker, EmulatorOptions options) {
        if (worker == null) {
            throw invalid(
                    task,
                    "takes a KernelContext but has no WorkerGrid; TornadoVM would run one work-item. Add one to the"
                            + " GridScheduler under this name, and give that to the plan.");
        }
        long[] global = worker.getGlobalWork();
        long[] given = worker.getLocalWork();
        if (Arrays.stream(worker.getGlobalOffset()).anyMatch(offset -> offset != 0)) {
            throw invalid(task, "has a global offset, which the emulator does not have.");
        }
        long[] local = given != null ? given : new long[] {chooseGroup(global[0], options), 1, 1};
        long items = 1;
        for (int dimension = 0; dimension < global.length; dimension++) {
            if (global[dimension] < 1 || local[dimension] < 1) {
                throw invalid(
                        task,
                        "has the grid " + Arrays.toString(global) + " in groups of " + Arrays.toString(local)
                                + "; a grid needs at least one work-item in each dimension.");
            }
            if (global[dimension] % local[dimension] != 0) {
                throw invalid(
                        task,
                        "has the grid " + Arrays.toString(global) + ", no multiple of its groups of "
                                + Arrays.toString(local)
                                + "; TornadoVM would not run it, and leave the output as it was. Round the grid up, and"
                                + " let the kernel skip what lies beyond the data.");
            }
            items = Math.multiplyExact(items, global[dimension]);
        }
        long group = Math.multiplyExact(Math.multiplyExact(local[0], local[1]), local[2]);
        if (group > options.maxWorkGroupSize()) {
            throw invalid(
                    task,
                    "has groups of " + group + " work-items, but the device takes at most " + options.maxWorkGroupSize()
                            + ".");
        }
        Math.toIntExact(items);
        return new Grid(
                (int) global[0], (int) global[1], (int) global[2], (int) local[0], (int) local[1], (int) local[2]);
    }

    private static long chooseGroup(long global, EmulatorOptions options) {
        long group = Math.max(1, Math.min(global, Math.min(DEFAULT_GROUP, options.maxWorkGroupSize())));
        while (global % group != 0) {
            group--;
        }
        return group;
    }

    private static KernelFault invalid(String task, String message) {
        return new KernelFault(KernelFault.Kind.INVALID_GRID, task, message);
    }

    int global(int dimension) {
        return dimension == 0 ? globalX : dimension == 1 ? globalY : globalZ;
    }

    int local(int dimension) {
        return dimension == 0 ? localX : dimension == 1 ? localY : localZ;
    }

    int groups(int dimension) {
        return global(dimension) / local(dimension);
    }

    int groups() {
        return groups(0) * groups(1) * groups(2);
    }

    /** Work-items in a group. */
    int groupSize() {
        return localX * localY * localZ;
    }

    /** Which group, in one dimension, a group's number stands for. */
    int groupId(int group, int dimension) {
        return switch (dimension) {
            case 0 -> group % groups(0);
            case 1 -> group / groups(0) % groups(1);
            default -> group / groups(0) / groups(1);
        };
    }

    /** Which work-item of its group, in one dimension, a work-item's number in the group stands for. */
    int localId(int item, int dimension) {
        return switch (dimension) {
            case 0 -> item % localX;
            case 1 -> item / localX % localY;
            default -> item / localX / localY;
        };
    }

    int globalId(int group, int item, int dimension) {
        return groupId(group, dimension) * local(dimension) + localId(item, dimension);
    }

    /** A work-item's number in the grid: in one dimension its globalIdx. */
    long globalId(int group, int item) {
        return ((long) globalId(group, item, 2) * globalY + globalId(group, item, 1)) * globalX
                + globalId(group, item, 0);
    }
}
