package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.KernelException;
import java.util.Arrays;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/**
 * The grid of every task, stated: TornadoVM runs a task without one as a single work-item, replaces a group size that the
 * device does not take by another in silence, and does not run a grid that is no multiple of its groups.
 */
final class Grids {
    /** Work-items in a group, where a kernel does not ask for another number. */
    static final int GROUP = 256;

    private final TornadoDevice device;
    private final GridScheduler scheduler = new GridScheduler();

    Grids(TornadoDevice device) {
        this.device = device;
    }

    GridScheduler scheduler() {
        return scheduler;
    }

    /** One work-item for each of {@code items} and at least one, rounded up to whole groups. */
    Grids add(String task, long items, int group) {
        long most = Arrays.stream(device.getPhysicalDevice().getDeviceMaxWorkGroupSize())
                .max()
                .orElse(0);
        if (group > most) {
            throw new KernelException("The kernel " + task + " runs in work-groups of " + group + ", but the device "
                    + device.getDeviceName() + " takes at most " + most + "; use another device, or --engine cpu.");
        }
        WorkerGrid1D grid = new WorkerGrid1D(Math.toIntExact(Math.ceilDiv(Math.max(items, 1), group) * group));
        grid.setLocalWork(group, 1, 1);
        scheduler.addWorkerGrid(task, grid);
        return this;
    }
}
