package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.Checks;
import dev.slipstream.kernels.SumKernel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** The sum of replicas, times a factor: all up, one task, the target down. */
final class TornadoSum implements SumKernel {
    private final Arguments arguments = new Arguments();
    private final int elements;
    private final int replicas;
    private final DevicePlan plan;

    TornadoSum(DeviceSession session, List<DeviceBuffer> buffers, DeviceBuffer target, long elements) {
        this.elements = Math.toIntExact(elements);
        replicas = buffers.size();
        // One array for a buffer, also where it is given twice: two arrays would be two copies on the device.
        Map<MemorySegment, FloatArray> arrays = new HashMap<>();
        List<FloatArray> sources = new ArrayList<>();
        for (DeviceBuffer buffer : buffers) {
            sources.add(arrays.computeIfAbsent(buffer.payload(), payload -> buffer.floats(elements)));
        }
        Object[] uploads = arrays.values().toArray();
        FloatArray result = arrays.computeIfAbsent(target.payload(), payload -> target.floats(elements));
        while (sources.size() < Checks.MAX_REPLICAS) {
            sources.add(sources.getFirst());
        }
        TaskGraph graph = new TaskGraph("average")
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, uploads)
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, arguments.counts(), arguments.factor())
                .task(
                        "sum",
                        AveragingKernels::sum,
                        new KernelContext(),
                        sources.get(0),
                        sources.get(1),
                        sources.get(2),
                        sources.get(3),
                        sources.get(4),
                        sources.get(5),
                        sources.get(6),
                        sources.get(7),
                        result,
                        arguments.counts(),
                        arguments.factor())
                .transferToHost(DataTransferMode.EVERY_EXECUTION, result);
        plan = session.plan(
                "average.sum",
                session.grids().add("average.sum", elements, Grids.GROUP),
                arrays.size() * elements * Float.BYTES,
                graph);
        plan.prepare(0, result.getSegment());
    }

    @Override
    public void run(float factor) {
        arguments.set(elements, replicas, factor);
        plan.execute(0);
    }

    @Override
    public void close() {
        plan.close();
    }
}
