package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.ScaleKernel;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** Scaling in place: up, one task, down. */
final class TornadoScale implements ScaleKernel {
    private final Arguments arguments = new Arguments();
    private final int elements;
    private final DevicePlan plan;

    TornadoScale(DeviceSession session, DeviceBuffer buffer, long elements) {
        this.elements = Math.toIntExact(elements);
        FloatArray values = buffer.floats(elements);
        TaskGraph graph = new TaskGraph("average")
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, values, arguments.counts(), arguments.factor())
                .task(
                        "scale",
                        AveragingKernels::scale,
                        new KernelContext(),
                        values,
                        arguments.counts(),
                        arguments.factor())
                .transferToHost(DataTransferMode.EVERY_EXECUTION, values);
        plan = session.plan(
                "average.scale",
                session.grids().add("average.scale", elements, Grids.GROUP),
                elements * Float.BYTES,
                graph);
        plan.prepare(0);
    }

    @Override
    public void run(float factor) {
        arguments.set(elements, 0, factor);
        plan.execute(0);
    }

    @Override
    public void close() {
        plan.close();
    }
}
