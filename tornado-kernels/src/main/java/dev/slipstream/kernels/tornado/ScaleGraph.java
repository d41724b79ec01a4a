package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.KernelException;
import dev.slipstream.kernels.ScaleKernel;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** The scaling of a bucket in place, by which averages are made of sums. The plan is built once and reused. */
final class ScaleGraph implements ScaleKernel {
    private static final int GROUP = 256;

    private final FloatArray factor = new FloatArray(1);
    private final int elements;
    private final TornadoExecutionPlan plan;

    ScaleGraph(FloatArray values, TornadoDevice device) {
        elements = values.getSize();
        TaskGraph graph = new TaskGraph("average")
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, values, factor)
                .task("scale", ScaleGraph::scale, new KernelContext(), values, factor, elements)
                .transferToHost(DataTransferMode.EVERY_EXECUTION, values);
        WorkerGrid1D grid = new WorkerGrid1D(Math.ceilDiv(Math.max(elements, 1), GROUP) * GROUP);
        grid.setLocalWork(GROUP, 1, 1);
        plan = new TornadoExecutionPlan(graph.snapshot())
                .withDevice(device)
                .withGridScheduler(new GridScheduler("average.scale", grid));
    }

    // The factor comes in an array: TornadoVM compiles a scalar argument into the kernel as a constant.
    static void scale(KernelContext context, FloatArray values, FloatArray factor, int elements) {
        int i = context.globalIdx;
        if (i < elements) {
            values.set(i, values.get(i) * factor.get(0));
        }
    }

    @Override
    public void run(float by) {
        if (elements > 0) {
            factor.set(0, by);
            plan.execute();
        }
    }

    @Override
    public void close() {
        try {
            plan.close();
        } catch (TornadoExecutionPlanException e) {
            throw new KernelException("TornadoVM did not close the plan of average.scale.", e);
        }
    }
}
