package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.CastKernel;
import dev.slipstream.kernels.FloatFormat;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;

/** A cast in two graphs, one for each direction. */
final class TornadoCast implements CastKernel {
    private static final int NARROW = 0;
    private static final int WIDEN = 1;

    private final Arguments arguments = new Arguments();
    private final int elements;
    private final DevicePlan plan;

    TornadoCast(DeviceSession session, DeviceBuffer floats, DeviceBuffer bits, long elements, FloatFormat format) {
        this.elements = Math.toIntExact(elements);
        IntArray wide = floats.ints(elements);
        ShortArray narrow = bits.shorts(elements);
        IntArray counts = arguments.counts();
        TaskGraph narrowing = new TaskGraph("narrow").transferToDevice(DataTransferMode.EVERY_EXECUTION, wide, counts);
        TaskGraph widening = new TaskGraph("widen").transferToDevice(DataTransferMode.EVERY_EXECUTION, narrow, counts);
        if (format == FloatFormat.FLOAT16) {
            narrowing.task("cast", CastKernels::toFloat16, new KernelContext(), wide, narrow, counts);
            widening.task("cast", CastKernels::fromFloat16, new KernelContext(), narrow, wide, counts);
        } else {
            narrowing.task("cast", CastKernels::toBfloat16, new KernelContext(), wide, narrow, counts);
            widening.task("cast", CastKernels::fromBfloat16, new KernelContext(), narrow, wide, counts);
        }
        narrowing.transferToHost(DataTransferMode.EVERY_EXECUTION, narrow);
        widening.transferToHost(DataTransferMode.EVERY_EXECUTION, wide);
        Grids grids =
                session.grids().add("narrow.cast", elements, Grids.GROUP).add("widen.cast", elements, Grids.GROUP);
        plan = session.plan(
                "cast between FLOAT32 and " + format,
                grids,
                2 * elements * (Float.BYTES + Short.BYTES),
                narrowing,
                widening);
        plan.prepare(NARROW, narrow.getSegment());
        plan.prepare(WIDEN, wide.getSegment());
    }

    @Override
    public void narrow() {
        arguments.set(elements, 0, 1f);
        plan.execute(NARROW);
    }

    @Override
    public void widen() {
        arguments.set(elements, 0, 1f);
        plan.execute(WIDEN);
    }

    @Override
    public void close() {
        plan.close();
    }
}
