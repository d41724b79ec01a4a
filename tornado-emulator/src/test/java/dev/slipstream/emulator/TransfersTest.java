package dev.slipstream.emulator;

import static dev.slipstream.emulator.Plans.DEMAND;
import static dev.slipstream.emulator.Plans.EVERY;
import static dev.slipstream.emulator.Plans.FIRST;
import static dev.slipstream.emulator.Plans.grid;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.emulator.KernelFault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import uk.ac.manchester.tornado.api.DataRange;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** Device memory is kept apart from the host's, and what is not transferred shows. */
class TransfersTest {
    private static final int SIZE = 4;
    private static final long FOOTPRINT = 16 + 4 * SIZE;

    private final FloatArray a = FloatArray.fromElements(1, 2, 3, 4);
    private final FloatArray b = new FloatArray(SIZE);

    static void copy(KernelContext context, FloatArray from, FloatArray to) {
        to.set(context.globalIdx, from.get(context.globalIdx));
    }

    static void increment(KernelContext context, FloatArray values) {
        values.set(context.globalIdx, values.get(context.globalIdx) + 1);
    }

    static void copyFirst(KernelContext context, FloatArray from, FloatArray to) {
        if (context.globalIdx == 0) {
            to.set(0, from.get(0));
        }
    }

    private TaskGraph copying(int upload, int download) {
        return new TaskGraph("g")
                .transferToDevice(upload, a)
                .task("copy", TransfersTest::copy, new KernelContext(), a, b)
                .transferToHost(download, b);
    }

    private static TornadoExecutionPlan plan(TaskGraph graph, String... tasks) {
        GridScheduler scheduler = new GridScheduler();
        for (String task : tasks) {
            scheduler.addWorkerGrid(graph.getTaskGraphName() + "." + task, grid(SIZE, 2));
        }
        return new TornadoExecutionPlan(graph.snapshot()).withGridScheduler(scheduler);
    }

    private static KernelFault assertFault(Kind kind, Executable executable) {
        KernelFault fault = assertThrows(KernelFault.class, executable);
        assertEquals(kind, fault.kind(), fault.getMessage());
        return fault;
    }

    private static void assertElements(FloatArray array, float... expected) {
        assertArrayEquals(expected, array.toHeapArray());
    }

    @Test
    void everyExecutionTransfersAnew() throws Exception {
        try (var plan = plan(copying(EVERY, EVERY), "copy")) {
            plan.execute();
            assertElements(b, 1, 2, 3, 4);
            a.set(0, 9);
            var figures = plan.execute().getProfilerResult();
            assertElements(b, 9, 2, 3, 4);
            assertEquals(4 * SIZE, figures.getTotalBytesCopyIn());
            assertEquals(4 * SIZE, figures.getTotalBytesCopyOut());
            assertEquals(2 * FOOTPRINT, plan.getCurrentDeviceMemoryUsage());
        }
    }

    @Test
    void firstExecutionTransfersOnceAndReportsAStaleCopy() throws Exception {
        try (var plan = plan(copying(FIRST, EVERY), "copy")) {
            plan.execute();
            assertEquals(0, plan.execute().getProfilerResult().getTotalBytesCopyIn());
            a.set(2, 9);
            KernelFault fault = assertFault(Kind.STALE_TRANSFER, plan::execute);
            assertTrue(String.valueOf(fault.getMessage()).contains("at element 2"), fault.getMessage());
        }
        a.set(2, 3);
        try (var plan = plan(copying(FIRST, EVERY), "copy")) {
            plan.withDevice(Emulator.device(EmulatorOptions.DEFAULTS.withChecks(false)));
            plan.execute();
            a.set(2, 9);
            plan.execute();
            assertElements(b, 1, 2, 3, 4);
        }
    }

    @Test
    void whatIsTransferredBackIsNotStale() throws Exception {
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(FIRST, a)
                .task("increment", TransfersTest::increment, new KernelContext(), a)
                .transferToHost(EVERY, a);
        try (var plan = plan(graph, "increment")) {
            plan.execute();
            plan.execute();
            assertElements(a, 3, 4, 5, 6);
        }
    }

    @Test
    void underDemandTransfersWhenAsked() throws Exception {
        try (var plan = plan(copying(EVERY, DEMAND), "copy")) {
            var result = plan.execute();
            assertElements(b, 0, 0, 0, 0);
            result.transferToHost(new DataRange(b).withOffset(1).withSize(2));
            assertElements(b, 0, 2, 3, 0);
            result.transferToHost(b);
            assertElements(b, 1, 2, 3, 4);
            FloatArray other = new FloatArray(SIZE);
            assertFault(Kind.MISSING_TRANSFER, () -> result.transferToHost(other));
            DataRange beyond = new DataRange(b).withOffset(3).withSize(2);
            assertThrows(TornadoRuntimeException.class, () -> result.transferToHost(beyond));
        }
    }

    @Test
    void unwrittenElementsArriveAsNaN() throws Exception {
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(EVERY, a)
                .task("copy", TransfersTest::copyFirst, new KernelContext(), a, b)
                .transferToHost(EVERY, b);
        try (var plan = plan(graph, "copy")) {
            plan.execute();
            assertElements(b, 1, Float.NaN, Float.NaN, Float.NaN);
        }
    }

    @Test
    void lostResult() throws Exception {
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(EVERY, a)
                .task("copy", TransfersTest::copy, new KernelContext(), a, b);
        try (var plan = plan(graph, "copy")) {
            KernelFault fault = assertFault(Kind.LOST_RESULT, plan::execute);
            assertEquals("g.copy", fault.task());
        }
    }

    @Test
    void graphsHandArraysOnOverTheDevice() throws Exception {
        TaskGraph first = new TaskGraph("first")
                .transferToDevice(EVERY, a)
                .task("copy", TransfersTest::copy, new KernelContext(), a, b)
                .persistOnDevice(b);
        TaskGraph second = new TaskGraph("second")
                .consumeFromDevice("first", b)
                .task("increment", TransfersTest::increment, new KernelContext(), b)
                .transferToHost(EVERY, b);
        GridScheduler scheduler = new GridScheduler("first.copy", grid(SIZE, 2));
        scheduler.addWorkerGrid("second.increment", grid(SIZE, 2));
        try (var plan = new TornadoExecutionPlan(first.snapshot(), second.snapshot())) {
            plan.withGridScheduler(scheduler);
            assertFault(Kind.MISSING_TRANSFER, () -> plan.withGraph(1).execute());
            plan.withGraph(0).execute();
            assertElements(b, 0, 0, 0, 0);
            plan.withGraph(1).execute();
            assertElements(b, 2, 3, 4, 5);
            plan.execute();
            assertElements(b, 3, 4, 5, 6);
            a.set(0, 10);
            plan.withGraph(0).execute();
            plan.withGraph(1).execute();
            assertElements(b, 11, 3, 4, 5);
            assertEquals(0, plan.getCurrentDeviceMemoryUsage());
            assertEquals(2 * FOOTPRINT, plan.withGraph(0).getCurrentDeviceMemoryUsage());
            plan.withGraph(0).execute();
            plan.freeDeviceMemory();
            assertFault(Kind.MISSING_TRANSFER, () -> plan.withGraph(1).execute());
        }
    }

    @Test
    void consumesOnlyWhatTheGraphBeforeLeft() throws Exception {
        TaskGraph first = copying(EVERY, EVERY);
        TaskGraph named = new TaskGraph("named")
                .consumeFromDevice("other", a)
                .task("increment", TransfersTest::increment, new KernelContext(), a)
                .transferToHost(EVERY, a);
        TaskGraph unnamed = new TaskGraph("unnamed")
                .consumeFromDevice(b)
                .task("increment", TransfersTest::increment, new KernelContext(), b)
                .transferToHost(EVERY, b);
        GridScheduler scheduler = new GridScheduler("g.copy", grid(SIZE, 2));
        scheduler.addWorkerGrid("named.increment", grid(SIZE, 2));
        scheduler.addWorkerGrid("unnamed.increment", grid(SIZE, 2));
        try (var plan = new TornadoExecutionPlan(first.snapshot(), named.snapshot(), unnamed.snapshot())) {
            plan.withGridScheduler(scheduler);
            plan.withGraph(0).execute();
            assertFault(Kind.MISSING_TRANSFER, () -> plan.withGraph(1).execute());
            assertFault(Kind.MISSING_TRANSFER, () -> plan.withGraph(2).execute());
        }
    }

    @Test
    void freedMemoryIsTransferredAnew() throws Exception {
        try (var plan = plan(copying(FIRST, EVERY), "copy")) {
            plan.execute();
            plan.freeDeviceMemory();
            assertEquals(0, plan.getCurrentDeviceMemoryUsage());
            a.set(0, 9);
            plan.execute();
            assertElements(b, 9, 2, 3, 4);
        }
    }

    @Test
    void memoryOfADeviceEnds() throws Exception {
        TornadoDevice device = Emulator.device(EmulatorOptions.DEFAULTS.withMemoryBytes(3 * FOOTPRINT));
        try (var second = plan(copying(EVERY, EVERY), "copy").withDevice(device)) {
            try (var plan = plan(copying(EVERY, EVERY), "copy").withDevice(device)) {
                plan.execute();
                assertThrows(TornadoOutOfMemoryException.class, second::execute);
            }
            second.execute();
            assertElements(b, 1, 2, 3, 4);
        }
        try (var plan = plan(copying(EVERY, EVERY), "copy").withMemoryLimit("50B")) {
            assertThrows(TornadoMemoryException.class, plan::execute);
            plan.withoutMemoryLimit().execute();
            assertThrows(IllegalArgumentException.class, () -> plan.withMemoryLimit("much"));
        }
    }

    @Test
    void plansAreUsedRightly() throws Exception {
        var plan = plan(copying(EVERY, EVERY), "copy");
        assertThrows(TornadoRuntimeException.class, () -> plan.withGraph(1));
        assertThrows(
                TornadoRuntimeException.class,
                () -> plan.withGridScheduler(new GridScheduler("g.other", grid(SIZE, 2))));
        plan.close();
        assertThrows(TornadoRuntimeException.class, plan::execute);
        assertThrows(
                TornadoRuntimeException.class,
                () -> copying(EVERY, EVERY).task("copy", TransfersTest::copy, new KernelContext(), a, b));
    }

    @Test
    void hasOneDevice() {
        assertThrows(TornadoRuntimeException.class, () -> Emulator.runtime().getBackend(1));
        assertThrows(
                TornadoRuntimeException.class,
                () -> Emulator.runtime().getBackend(0).getDevice(-1));
        TornadoDevice device = TornadoExecutionPlan.getDevice(0, 0);
        assertEquals(1024, device.getPhysicalDevice().getDeviceMaxWorkGroupSize()[0]);
    }

    @Test
    void plansRunOnSeveralThreads() throws Exception {
        int threads = 6;
        CountDownLatch together = new CountDownLatch(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<float[]>> results = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                float start = thread;
                results.add(executor.submit(() -> {
                    FloatArray own = FloatArray.fromElements(start, start, start, start);
                    TaskGraph graph = new TaskGraph("g")
                            .transferToDevice(FIRST, own)
                            .task("increment", TransfersTest::increment, new KernelContext(), own)
                            .transferToHost(EVERY, own);
                    together.countDown();
                    together.await();
                    try (var plan = plan(graph, "increment")) {
                        for (int execution = 0; execution < 100; execution++) {
                            plan.execute();
                        }
                    }
                    return own.toHeapArray();
                }));
            }
            for (int thread = 0; thread < threads; thread++) {
                float end = thread + 100;
                assertArrayEquals(
                        new float[] {end, end, end, end}, results.get(thread).get());
            }
        }
    }
}
