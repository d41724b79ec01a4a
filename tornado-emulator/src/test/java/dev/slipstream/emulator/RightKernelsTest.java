package dev.slipstream.emulator;

import static dev.slipstream.emulator.Plans.EVERY;
import static dev.slipstream.emulator.Plans.FIRST;
import static dev.slipstream.emulator.Plans.covering;
import static dev.slipstream.emulator.Plans.grid;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid2D;
import uk.ac.manchester.tornado.api.annotations.Parallel;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Kernels without a fault, of the kinds that the project's own are made of. Nothing here knows of the emulator, so that on
 * a JVM with TornadoVM's argument file the same tests run on a device.
 */
class RightKernelsTest {
    private static final int GROUP = 256;

    /** The inclusive prefix sum of each block of a group's size, and the sum of each block. */
    static void scanBlocks(KernelContext context, IntArray values, IntArray prefixes, IntArray sums, int elements) {
        int i = context.globalIdx;
        int item = context.localIdx;
        int group = context.localGroupSizeX;
        int[] block = context.allocateIntLocalArray(GROUP);
        int value = 0;
        if (i < elements) {
            value = values.get(i);
        }
        block[item] = value;
        for (int stride = 1; stride < group; stride *= 2) {
            context.localBarrier();
            int left = 0;
            if (item >= stride) {
                left = block[item - stride];
            }
            context.localBarrier();
            block[item] = block[item] + left;
        }
        if (i < elements) {
            prefixes.set(i, block[item]);
        }
        if (item == group - 1) {
            sums.set(context.groupIdx, block[item]);
        }
    }

    /** The exclusive prefix sum of the blocks' sums, by one work-item; the total comes last. */
    static void scanSums(KernelContext context, IntArray sums, IntArray offsets, int blocks) {
        if (context.globalIdx == 0) {
            int sum = 0;
            for (int block = 0; block < blocks; block++) {
                offsets.set(block, sum);
                sum += sums.get(block);
            }
            offsets.set(blocks, sum);
        }
    }

    static void markOdd(KernelContext context, IntArray values, IntArray marks, int elements) {
        int i = context.globalIdx;
        if (i < elements) {
            marks.set(i, values.get(i) & 1);
        }
    }

    static void scatter(
            KernelContext context,
            IntArray values,
            IntArray marks,
            IntArray prefixes,
            IntArray offsets,
            IntArray kept,
            int elements) {
        int i = context.globalIdx;
        if (i < elements) {
            if (marks.get(i) == 1) {
                kept.set(offsets.get(context.groupIdx) + prefixes.get(i) - 1, values.get(i));
            }
        }
    }

    static void clear(KernelContext context, IntArray counts, LongArray total, int bins) {
        int i = context.globalIdx;
        if (i < bins) {
            counts.set(i, 0);
        }
        if (i == 0) {
            total.set(0, 0);
        }
    }

    static void histogram(KernelContext context, IntArray values, IntArray counts, LongArray total, int elements) {
        int i = context.globalIdx;
        if (i < elements) {
            context.atomicAdd(counts, values.get(i) & 15, 1);
            context.atomicAdd(total, 0, values.get(i));
        }
    }

    /** Each group turns its block of global memory round, through a global barrier. */
    static void reverseBlocks(KernelContext context, FloatArray values) {
        int group = context.localGroupSizeX;
        int first = context.groupIdx * group;
        int item = context.localIdx;
        float mine = values.get(first + item);
        context.globalBarrier();
        values.set(first + group - 1 - item, mine);
    }

    static void transpose(KernelContext context, FloatArray from, FloatArray to) {
        int x = context.globalIdx;
        int y = context.globalIdy;
        to.set(x * context.globalGroupSizeY + y, from.get(y * context.globalGroupSizeX + x));
    }

    static void add(FloatArray a, FloatArray b, FloatArray sum) {
        for (@Parallel int i = 0; i < sum.getSize(); i++) {
            sum.set(i, a.get(i) + b.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 255, 256, 257, 5_000})
    void scansBlocksThroughLocalMemory(int elements) {
        int[] values = new Random(elements).ints(elements, -100, 100).toArray();
        int blocks = Math.ceilDiv(elements, GROUP);
        IntArray prefixes = new IntArray(elements);
        IntArray sums = new IntArray(blocks);
        IntArray input = IntArray.fromArray(values);
        TaskGraph graph = new TaskGraph("scan")
                .transferToDevice(EVERY, input)
                .task("blocks", RightKernelsTest::scanBlocks, new KernelContext(), input, prefixes, sums, elements)
                .transferToHost(EVERY, prefixes, sums);
        Plans.execute(graph, covering(elements, GROUP), "blocks");

        int[] expected = values.clone();
        for (int i = 0; i < elements; i++) {
            expected[i] += i % GROUP == 0 ? 0 : expected[i - 1];
        }
        assertArrayEquals(expected, prefixes.toHeapArray());
        for (int block = 0; block < blocks; block++) {
            assertEquals(expected[Math.min(elements, (block + 1) * GROUP) - 1], sums.get(block));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 255, 256, 257, 4_097})
    void compactsInThreeTasks(int elements) throws Exception {
        int blocks = Math.ceilDiv(elements, GROUP);
        IntArray input = new IntArray(elements);
        IntArray marks = new IntArray(elements);
        IntArray prefixes = new IntArray(elements);
        IntArray sums = new IntArray(blocks);
        IntArray offsets = new IntArray(blocks + 1);
        IntArray kept = new IntArray(elements);
        TaskGraph graph = new TaskGraph("compact")
                .transferToDevice(EVERY, input)
                .task("mark", RightKernelsTest::markOdd, new KernelContext(), input, marks, elements)
                .task("blocks", RightKernelsTest::scanBlocks, new KernelContext(), marks, prefixes, sums, elements)
                .task("sums", RightKernelsTest::scanSums, new KernelContext(), sums, offsets, blocks)
                .task(
                        "scatter",
                        RightKernelsTest::scatter,
                        new KernelContext(),
                        input,
                        marks,
                        prefixes,
                        offsets,
                        kept,
                        elements)
                .transferToHost(EVERY, kept, offsets);
        GridScheduler scheduler = new GridScheduler("compact.mark", covering(elements, GROUP));
        scheduler.addWorkerGrid("compact.blocks", covering(elements, GROUP));
        scheduler.addWorkerGrid("compact.sums", grid(1, 1));
        scheduler.addWorkerGrid("compact.scatter", covering(elements, GROUP));
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(scheduler);
            for (int seed = 0; seed < 3; seed++) {
                int[] values = new Random(seed).ints(elements).toArray();
                for (int i = 0; i < elements; i++) {
                    input.set(i, values[i]);
                }
                plan.execute();
                int[] expected =
                        Arrays.stream(values).filter(value -> (value & 1) == 1).toArray();
                assertEquals(expected.length, offsets.get(blocks));
                assertArrayEquals(expected, Arrays.copyOf(kept.toHeapArray(), expected.length), "seed " + seed);
            }
        }
    }

    @Test
    void countsWithAtomics() {
        int elements = 10_000;
        int[] values = new Random(1).ints(elements).toArray();
        IntArray input = IntArray.fromArray(values);
        IntArray counts = new IntArray(16);
        LongArray total = new LongArray(1);
        TaskGraph graph = new TaskGraph("count")
                .transferToDevice(FIRST, input)
                .task("clear", RightKernelsTest::clear, new KernelContext(), counts, total, 16)
                .task("add", RightKernelsTest::histogram, new KernelContext(), input, counts, total, elements)
                .transferToHost(EVERY, counts, total);
        Plans.execute(graph, covering(elements, GROUP), "clear", "add");
        for (int bin = 0; bin < 16; bin++) {
            int wanted = bin;
            assertEquals(
                    Arrays.stream(values)
                            .filter(value -> (value & 15) == wanted)
                            .count(),
                    counts.get(bin));
        }
        assertEquals(Arrays.stream(values).asLongStream().sum(), total.get(0));
    }

    @Test
    void ordersGlobalMemoryInAGroupByAGlobalBarrier() {
        FloatArray values = new FloatArray(1024);
        IntStream.range(0, 1024).forEach(i -> values.set(i, i));
        TaskGraph graph = new TaskGraph("reverse")
                .transferToDevice(EVERY, values)
                .task("blocks", RightKernelsTest::reverseBlocks, new KernelContext(), values)
                .transferToHost(EVERY, values);
        Plans.execute(graph, grid(1024, 64), "blocks");
        for (int i = 0; i < 1024; i++) {
            assertEquals(i / 64 * 64 + 63 - i % 64, values.get(i));
        }
    }

    @Test
    void hasTwoDimensions() {
        int width = 24;
        int height = 10;
        FloatArray from = new FloatArray(width * height);
        FloatArray to = new FloatArray(width * height);
        IntStream.range(0, width * height).forEach(i -> from.set(i, i));
        WorkerGrid2D grid = new WorkerGrid2D(width, height);
        grid.setLocalWork(8, 5, 1);
        TaskGraph graph = new TaskGraph("plane")
                .transferToDevice(EVERY, from)
                .task("transpose", RightKernelsTest::transpose, new KernelContext(), from, to)
                .transferToHost(EVERY, to);
        Plans.execute(graph, grid, "transpose");
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                assertEquals(y * width + x, to.get(x * height + y));
            }
        }
    }

    @Test
    void runsParallelLoops() throws Exception {
        FloatArray a = FloatArray.fromElements(1, 2, 3);
        FloatArray b = FloatArray.fromElements(10, 20, 30);
        FloatArray sum = new FloatArray(3);
        TaskGraph graph = new TaskGraph("loop")
                .transferToDevice(EVERY, a, b)
                .task("add", RightKernelsTest::add, a, b, sum)
                .transferToHost(EVERY, sum);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.execute();
        }
        assertArrayEquals(new float[] {11, 22, 33}, sum.toHeapArray());
    }
}
