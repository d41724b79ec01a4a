package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.Checks;
import dev.slipstream.kernels.TopKKernel;
import java.lang.foreign.MemorySegment;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Top-k on the device: the gradient up, k indices and values down. The residual stays on the device from step to step; two
 * graphs of their own bring it there and back.
 */
final class TornadoTopK implements TopKKernel {
    private static final int LOAD = 0;
    private static final int SELECT = 1;
    private static final int STORE = 2;

    private final Arguments arguments = new Arguments();
    private final int elements;
    private final int maxK;
    private final MemorySegment indices;
    private final MemorySegment values;
    private final DevicePlan plan;
    private int k;

    TornadoTopK(DeviceSession session, DeviceBuffer gradient, DeviceBuffer residual, long elements, int maxK) {
        this.elements = Math.toIntExact(elements);
        this.maxK = maxK;
        SelectionShape shape = session.selection();
        int items = shape.items(this.elements);
        FloatArray added = gradient.floats(elements);
        FloatArray sum = residual.floats(elements);
        IntArray bits = new IntArray(this.elements);
        IntArray counts = arguments.counts();
        IntArray totals = new IntArray(TopKKernels.DIGITS * TopKKernels.BINS);
        IntArray state = new IntArray(TopKKernels.STATE);
        IntArray histograms = new IntArray(items * TopKKernels.BINS);
        IntArray above = new IntArray(items);
        IntArray equal = new IntArray(items);
        IntArray chosenIndices = new IntArray(Math.max(1, maxK));
        FloatArray chosenValues = new FloatArray(Math.max(1, maxK));
        indices = chosenIndices.getSegment();
        values = chosenValues.getSegment();

        TaskGraph load = new TaskGraph("load")
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, sum)
                .task("touch", TopKKernels::touch, new KernelContext(), sum)
                .persistOnDevice(sum);
        TaskGraph select = new TaskGraph("select")
                .consumeFromDevice(sum)
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, added, counts)
                // Scratch. TornadoVM frees only what a graph transfers.
                .transferToDevice(DataTransferMode.FIRST_EXECUTION, bits, totals, state, histograms, above, equal)
                .task("add", TopKKernels::add, new KernelContext(), added, sum, bits, totals, counts);
        Grids grids = session.grids()
                .add("load.touch", 1, 1)
                .add("store.touch", 1, 1)
                .add("select.add", Math.max(elements, TopKKernels.DIGITS * TopKKernels.BINS), Grids.GROUP);
        for (int settled = -1; settled < TopKKernels.DIGITS; settled++) {
            String task = "digit" + (settled + 1);
            select.task(
                    task,
                    TopKKernels::digit,
                    new KernelContext(),
                    bits,
                    totals,
                    state,
                    histograms,
                    above,
                    equal,
                    counts,
                    settled,
                    items);
            grids.add("select." + task, items, shape.group());
        }
        select.task("place", TopKKernels::place, new KernelContext(), above, equal, state, items)
                .task(
                        "take",
                        TopKKernels::take,
                        new KernelContext(),
                        sum,
                        bits,
                        above,
                        equal,
                        state,
                        chosenIndices,
                        chosenValues,
                        counts,
                        items)
                .persistOnDevice(sum)
                .transferToHost(DataTransferMode.EVERY_EXECUTION, chosenIndices, chosenValues);
        grids.add("select.place", Grids.GROUP, Grids.GROUP).add("select.take", items, shape.group());
        TaskGraph store = new TaskGraph("store")
                .consumeFromDevice(sum)
                .task("touch", TopKKernels::touch, new KernelContext(), sum)
                .transferToHost(DataTransferMode.EVERY_EXECUTION, sum);
        long bytes = 12L * elements + 8L * maxK + 4L * items * TopKKernels.BINS;
        plan = session.plan("top-k (tasks add, digit, place, take)", grids, bytes, load, select, store)
                .ownedBy(SELECT);
        plan.prepare(LOAD);
        plan.prepare(SELECT);
        plan.prepare(STORE);
    }

    @Override
    public void run(int wanted) {
        Checks.k(wanted, maxK);
        k = wanted;
        arguments.set(elements, wanted, 1f);
        plan.execute(SELECT);
    }

    @Override
    public void storeResidual() {
        plan.execute(STORE);
    }

    @Override
    public void loadResidual() {
        plan.execute(LOAD);
    }

    @Override
    public MemorySegment indices() {
        return indices.asSlice(0, 4L * k);
    }

    @Override
    public MemorySegment values() {
        return values.asSlice(0, 4L * k);
    }

    @Override
    public void close() {
        plan.close();
    }
}
