package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.FloatFormat;
import java.lang.foreign.MemorySegment;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;

/** What becomes of gathered gradients on the device: scaled in place, or scaled and cast into a bucket of 16 bits. */
final class PackGraphs implements AutoCloseable {
    private static final int PACK = 0;
    private static final int UNPACK = 1;

    private final Arguments arguments;
    private final int elements;
    private final boolean casts;
    private final DevicePlan plan;

    private PackGraphs(Arguments arguments, int elements, boolean casts, DevicePlan plan) {
        this.arguments = arguments;
        this.elements = elements;
        this.casts = casts;
        this.plan = plan;
    }

    /** Gradients that are gathered in the bucket itself, and have its format. */
    static PackGraphs inPlace(DeviceSession session, DeviceBuffer bucket, int elements, FloatFormat format) {
        Arguments arguments = new Arguments();
        TaskGraph graph = new TaskGraph("pack")
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, arguments.counts(), arguments.factor());
        Grids grids = session.grids();
        switch (format) {
            case FLOAT32 -> scale(graph, grids, bucket.floats(elements), arguments);
            case FLOAT64 -> scale(graph, grids, bucket.doubles(elements), arguments);
            case FLOAT16, BFLOAT16 -> scale(graph, grids, bucket.shorts(elements), format, arguments);
        }
        DevicePlan plan = session.plan("pack of " + format, grids, (long) elements * format.bytes(), graph);
        plan.prepare(PACK);
        return new PackGraphs(arguments, elements, false, plan);
    }

    private static void scale(TaskGraph graph, Grids grids, FloatArray values, Arguments arguments) {
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, values)
                .task(
                        "scale",
                        AveragingKernels::scale,
                        new KernelContext(),
                        values,
                        arguments.counts(),
                        arguments.factor())
                .transferToHost(DataTransferMode.EVERY_EXECUTION, values);
        grids.add("pack.scale", values.getSize(), Grids.GROUP);
    }

    private static void scale(TaskGraph graph, Grids grids, DoubleArray values, Arguments arguments) {
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, values)
                .task(
                        "scale",
                        AveragingKernels::scale64,
                        new KernelContext(),
                        values,
                        arguments.counts(),
                        arguments.factor())
                .transferToHost(DataTransferMode.EVERY_EXECUTION, values);
        grids.add("pack.scale", values.getSize(), Grids.GROUP);
    }

    private static void scale(
            TaskGraph graph, Grids grids, ShortArray halves, FloatFormat format, Arguments arguments) {
        FloatArray table = new FloatArray(ProductKernels.TABLE);
        for (int half = 0; half < ProductKernels.TABLE; half++) {
            table.set(
                    half, Float.intBitsToFloat(format == FloatFormat.FLOAT16 ? CastKernels.float32(half) : half << 16));
        }
        IntArray products = new IntArray(halves.getSize());
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, halves)
                .transferToDevice(DataTransferMode.FIRST_EXECUTION, table, products)
                .task(
                        "scale",
                        ProductKernels::ofHalves,
                        new KernelContext(),
                        halves,
                        table,
                        products,
                        arguments.counts(),
                        arguments.factor());
        narrow(graph, grids, products, halves, format, arguments);
        grids.add("pack.scale", halves.getSize(), Grids.GROUP);
    }

    private static void narrow(
            TaskGraph graph, Grids grids, IntArray products, ShortArray halves, FloatFormat format, Arguments told) {
        if (format == FloatFormat.FLOAT16) {
            graph.task("narrow", CastKernels::toFloat16, new KernelContext(), products, halves, told.counts());
        } else {
            graph.task("narrow", CastKernels::toBfloat16, new KernelContext(), products, halves, told.counts());
        }
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, halves);
        grids.add("pack.narrow", halves.getSize(), Grids.GROUP);
    }

    /** Float32 gradients, gathered in {@code floats}, for a bucket of 16 bits. */
    static PackGraphs narrowing(
            DeviceSession session, DeviceBuffer floats, DeviceBuffer bucket, int elements, FloatFormat format) {
        Arguments arguments = new Arguments();
        FloatArray values = floats.floats(elements);
        IntArray products = new IntArray(elements);
        ShortArray halves = bucket.shorts(elements);
        Grids grids = session.grids().add("pack.scale", elements, Grids.GROUP);
        TaskGraph pack = new TaskGraph("pack")
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, values, arguments.counts(), arguments.factor())
                // Scratch. TornadoVM frees only what a graph transfers.
                .transferToDevice(DataTransferMode.FIRST_EXECUTION, products)
                .task(
                        "scale",
                        ProductKernels::ofFloats,
                        new KernelContext(),
                        values,
                        products,
                        arguments.counts(),
                        arguments.factor());
        narrow(pack, grids, products, halves, format, arguments);

        IntArray widened = floats.ints(elements);
        TaskGraph unpack =
                new TaskGraph("unpack").transferToDevice(DataTransferMode.EVERY_EXECUTION, halves, arguments.counts());
        if (format == FloatFormat.FLOAT16) {
            unpack.task("widen", CastKernels::fromFloat16, new KernelContext(), halves, widened, arguments.counts());
        } else {
            unpack.task("widen", CastKernels::fromBfloat16, new KernelContext(), halves, widened, arguments.counts());
        }
        unpack.transferToHost(DataTransferMode.EVERY_EXECUTION, widened);
        grids.add("unpack.widen", elements, Grids.GROUP);

        long bytes = elements * (3L * Float.BYTES + 2L * Short.BYTES);
        DevicePlan plan = session.plan("pack into " + format, grids, bytes, pack, unpack);
        MemorySegment gathered = widened.getSegment();
        plan.prepare(PACK, halves.getSegment());
        plan.prepare(UNPACK, gathered);
        return new PackGraphs(arguments, elements, true, plan);
    }

    /** Makes the bucket's payload of what was gathered. */
    void pack(float factor) {
        if (casts || factor != 1f) {
            arguments.set(elements, 0, factor);
            plan.execute(PACK);
        }
    }

    /** The way back. */
    void unpack() {
        if (casts) {
            arguments.set(elements, 0, 1f);
            plan.execute(UNPACK);
        }
    }

    @Override
    public void close() {
        plan.close();
    }
}
