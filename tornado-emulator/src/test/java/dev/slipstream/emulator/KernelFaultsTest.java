package dev.slipstream.emulator;

import static dev.slipstream.emulator.Plans.EVERY;
import static dev.slipstream.emulator.Plans.grid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.emulator.KernelFault.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task3;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** One small wrong kernel for each check. */
class KernelFaultsTest {
    private static final int ITEMS = 64;
    private static final int GROUP = 16;

    private final FloatArray input = new FloatArray(ITEMS);
    private final FloatArray output = new FloatArray(ITEMS);

    private KernelFault faultOf(Task3<KernelContext, FloatArray, FloatArray> kernel) {
        TaskGraph graph = new TaskGraph("wrong")
                .transferToDevice(EVERY, input)
                .task("kernel", kernel, new KernelContext(), input, output)
                .transferToHost(EVERY, output, input);
        return assertThrows(KernelFault.class, () -> Plans.execute(graph, grid(ITEMS, GROUP), "kernel"));
    }

    private static void assertFault(Kind kind, long workItem, long index, KernelFault fault) {
        assertEquals(kind, fault.kind(), fault.getMessage());
        assertEquals("wrong.kernel", fault.task());
        assertEquals(workItem, fault.workItem(), fault.getMessage());
        assertEquals(index, fault.index(), fault.getMessage());
    }

    private static void assertSays(String part, KernelFault fault) {
        assertTrue(String.valueOf(fault.getMessage()).contains(part), fault.getMessage());
    }

    static void readsBeyond(KernelContext context, FloatArray input, FloatArray output) {
        int i = context.globalIdx;
        output.set(i, input.get(i + 1));
    }

    static void writesBefore(KernelContext context, FloatArray input, FloatArray output) {
        int i = context.globalIdx;
        output.set(i - 1, input.get(i));
    }

    @Test
    void outOfBounds() {
        KernelFault fault = faultOf(KernelFaultsTest::readsBeyond);
        assertFault(Kind.OUT_OF_BOUNDS, 63, 64, fault);
        assertEquals(
                "wrong.kernel: work-item 63 (15 of group 3) reads element 64 of argument 2 (FloatArray of 64): out of bounds.",
                fault.getMessage());
        assertFault(Kind.OUT_OF_BOUNDS, 0, -1, faultOf(KernelFaultsTest::writesBefore));
    }

    static void readsLocalBeyond(KernelContext context, FloatArray input, FloatArray output) {
        float[] local = context.allocateFloatLocalArray(GROUP);
        int item = context.localIdx;
        local[item] = input.get(context.globalIdx);
        context.localBarrier();
        output.set(context.globalIdx, local[item + 1]);
    }

    @Test
    void outOfBoundsInLocalMemory() {
        assertFault(Kind.OUT_OF_BOUNDS, 15, -1, faultOf(KernelFaultsTest::readsLocalBeyond));
    }

    static void readsUnwritten(KernelContext context, FloatArray input, FloatArray output) {
        int i = context.globalIdx;
        output.set(i, output.get(i) + input.get(i));
    }

    @Test
    void readOfMemoryThatNothingWrote() {
        KernelFault fault = faultOf(KernelFaultsTest::readsUnwritten);
        assertFault(Kind.UNWRITTEN_READ, 0, 0, fault);
        assertSays("no transferToDevice", fault);
    }

    static void writesOneElement(KernelContext context, FloatArray input, FloatArray output) {
        output.set(context.globalIdx / 2, input.get(context.globalIdx));
    }

    static void writesOneElementFromAllGroups(KernelContext context, FloatArray input, FloatArray output) {
        context.globalBarrier();
        output.set(context.localIdx, input.get(context.globalIdx));
    }

    @Test
    void conflictingWrites() {
        KernelFault fault = faultOf(KernelFaultsTest::writesOneElement);
        assertFault(Kind.CONFLICTING_WRITES, 1, 0, fault);
        assertSays("work-item 0 (0 of group 0) wrote", fault);

        KernelFault between = faultOf(KernelFaultsTest::writesOneElementFromAllGroups);
        assertFault(Kind.CONFLICTING_WRITES, GROUP, 0, between);
        assertSays("work-item 0 (0 of group 0) wrote", between);
    }

    static void readsNeighbour(KernelContext context, FloatArray input, FloatArray output) {
        int i = context.globalIdx;
        output.set(i, input.get(i));
        if (i > 0) {
            output.set(i, output.get(i - 1));
        }
    }

    static void writesWhatOthersRead(KernelContext context, FloatArray input, FloatArray output) {
        int i = context.globalIdx;
        output.set(i, input.get(ITEMS - 1));
        input.set(i, 0);
    }

    /** The last reader is the writer itself; the readers before it, of its own group, must not be forgotten. */
    static void writesAfterSharedReads(KernelContext context, FloatArray input, FloatArray output) {
        int i = context.globalIdx;
        output.set(i, input.get(0));
        if (i == GROUP - 1) {
            input.set(0, 1);
        }
    }

    /** As before, across groups and a barrier: only the first group's reads conflict. */
    static void writesAfterReadsOfAnotherGroup(KernelContext context, FloatArray input, FloatArray output) {
        int i = context.globalIdx;
        output.set(i, input.get(0));
        context.globalBarrier();
        if (i == GROUP) {
            input.set(0, 1);
        }
    }

    @Test
    void readWriteRaces() {
        assertFault(Kind.READ_WRITE_RACE, 1, 0, faultOf(KernelFaultsTest::readsNeighbour));
        assertFault(Kind.READ_WRITE_RACE, 63, 63, faultOf(KernelFaultsTest::writesWhatOthersRead));
        KernelFault fault = faultOf(KernelFaultsTest::writesAfterSharedReads);
        assertFault(Kind.READ_WRITE_RACE, GROUP - 1, 0, fault);
        assertSays("another work-item read", fault);
        assertFault(Kind.READ_WRITE_RACE, GROUP, 0, faultOf(KernelFaultsTest::writesAfterReadsOfAnotherGroup));
    }

    static void ordersGlobalMemoryByALocalBarrier(KernelContext context, FloatArray input, FloatArray output) {
        int i = context.globalIdx;
        output.set(i, input.get(i));
        context.localBarrier();
        int neighbour = context.groupIdx * GROUP + (context.localIdx + 1) % GROUP;
        input.set(i, output.get(neighbour));
    }

    @Test
    void localBarrierDoesNotOrderGlobalMemory() {
        KernelFault fault = faultOf(KernelFaultsTest::ordersGlobalMemoryByALocalBarrier);
        assertFault(Kind.READ_WRITE_RACE, 0, 1, fault);
        assertSays("globalBarrier", fault);
    }

    static void addsAndReads(KernelContext context, IntArray counts, FloatArray output) {
        context.atomicAdd(counts, 0, 1);
        output.set(context.globalIdx, counts.get(0));
    }

    static void addsAndSets(KernelContext context, IntArray counts, FloatArray output) {
        if (context.globalIdx == 3) {
            counts.set(0, 7);
        } else {
            context.atomicAdd(counts, 0, 1);
        }
        output.set(context.globalIdx, 0);
    }

    static void setsAndAdds(KernelContext context, IntArray counts, FloatArray output) {
        if (context.globalIdx == 0) {
            counts.set(0, 0);
        }
        context.atomicAdd(counts, 0, 1);
        output.set(context.globalIdx, 0);
    }

    private KernelFault atomicFaultOf(Task3<KernelContext, IntArray, FloatArray> kernel) {
        IntArray counts = new IntArray(1);
        TaskGraph graph = new TaskGraph("wrong")
                .transferToDevice(EVERY, counts)
                .task("kernel", kernel, new KernelContext(), counts, output)
                .transferToHost(EVERY, output, counts);
        return assertThrows(KernelFault.class, () -> Plans.execute(graph, grid(ITEMS, GROUP), "kernel"));
    }

    @Test
    void atomicsRaceWithPlainAccesses() {
        assertFault(Kind.CONFLICTING_WRITES, 3, 0, atomicFaultOf(KernelFaultsTest::addsAndSets));
        assertFault(Kind.CONFLICTING_WRITES, 1, 0, atomicFaultOf(KernelFaultsTest::setsAndAdds));
        assertFault(Kind.READ_WRITE_RACE, 1, 0, atomicFaultOf(KernelFaultsTest::addsAndReads));
    }

    static void returnsEarly(KernelContext context, FloatArray input, FloatArray output) {
        if (context.globalIdx == 20) {
            return;
        }
        context.localBarrier();
        output.set(context.globalIdx, input.get(context.globalIdx));
    }

    static void returnsBetweenBarriers(KernelContext context, FloatArray input, FloatArray output) {
        context.localBarrier();
        output.set(context.globalIdx, input.get(context.globalIdx));
        if (context.localIdx > 3) {
            context.localBarrier();
        }
    }

    @SuppressWarnings("DuplicateBranches") // That is what is wrong with it.
    static void waitsAtTwoBarriers(KernelContext context, FloatArray input, FloatArray output) {
        if (context.localIdx == 9) {
            context.localBarrier();
        } else {
            context.localBarrier();
        }
        output.set(context.globalIdx, input.get(context.globalIdx));
    }

    static void waitsAtBarriersOfTwoKinds(KernelContext context, FloatArray input, FloatArray output) {
        if (context.localIdx < 9) {
            context.localBarrier();
        } else {
            context.globalBarrier();
        }
        output.set(context.globalIdx, input.get(context.globalIdx));
    }

    @Test
    void divergentBarriers() {
        KernelFault early = faultOf(KernelFaultsTest::returnsEarly);
        assertFault(Kind.DIVERGENT_BARRIER, -1, -1, early);
        assertSays("only 15 of the 16 work-items of group 1", early);
        KernelFault between = faultOf(KernelFaultsTest::returnsBetweenBarriers);
        assertFault(Kind.DIVERGENT_BARRIER, -1, -1, between);
        assertSays("only 12 of the 16 work-items of group 0", between);
        KernelFault two = faultOf(KernelFaultsTest::waitsAtTwoBarriers);
        assertFault(Kind.DIVERGENT_BARRIER, -1, -1, two);
        assertSays("KernelFaultsTest.java:", two);
        assertFault(Kind.DIVERGENT_BARRIER, -1, -1, faultOf(KernelFaultsTest::waitsAtBarriersOfTwoKinds));
    }

    static void writesOneLocalElement(KernelContext context, FloatArray input, FloatArray output) {
        int[] local = context.allocateIntLocalArray(GROUP);
        local[context.localIdx / 2] = context.localIdx;
        context.localBarrier();
        output.set(context.globalIdx, local[0]);
    }

    static void lacksALocalBarrier(KernelContext context, FloatArray input, FloatArray output) {
        float[] local = context.allocateFloatLocalArray(GROUP);
        local[context.localIdx] = input.get(context.globalIdx);
        int left = Math.max(0, context.localIdx - 1);
        output.set(context.globalIdx, local[left]);
    }

    @Test
    void localMemoryBetweenBarriers() {
        KernelFault fault = faultOf(KernelFaultsTest::writesOneLocalElement);
        assertFault(Kind.CONFLICTING_WRITES, 1, 0, fault);

        // What others wrote since the last barrier is not there yet: undefined memory, NaN.
        TaskGraph graph = new TaskGraph("wrong")
                .transferToDevice(EVERY, input)
                .task("kernel", KernelFaultsTest::lacksALocalBarrier, new KernelContext(), input, output)
                .transferToHost(EVERY, output);
        Plans.execute(graph, grid(ITEMS, GROUP), "kernel");
        for (int i = 0; i < ITEMS; i++) {
            assertEquals(i % GROUP == 0 ? 0 : Float.NaN, output.get(i), "element " + i);
        }
    }

    static void allocatesDifferently(KernelContext context, FloatArray input, FloatArray output) {
        int[] local = context.allocateIntLocalArray(context.localIdx == 5 ? 8 : 16);
        output.set(context.globalIdx, local.length);
    }

    static void allocatesTooMuch(KernelContext context, FloatArray input, FloatArray output) {
        int[] local = context.allocateIntLocalArray(12 << 10);
        float[] more = context.allocateFloatLocalArray(1);
        output.set(context.globalIdx, local.length + more.length);
    }

    @Test
    void localMemoryIsTheGroups() {
        assertFault(Kind.DIVERGENT_LOCAL_ARRAY, 5, -1, faultOf(KernelFaultsTest::allocatesDifferently));
        KernelFault fault = faultOf(KernelFaultsTest::allocatesTooMuch);
        assertFault(Kind.LOCAL_MEMORY_EXHAUSTED, 0, -1, fault);
        assertSays("49156 bytes", fault);
    }

    static void takesTheSegment(KernelContext context, FloatArray input, FloatArray output) {
        output.getSegment().fill((byte) 0);
    }

    static void divides(KernelContext context, FloatArray input, FloatArray output) {
        int quotient = 1 / (context.globalIdx - 2);
        output.set(context.globalIdx, quotient);
    }

    @Test
    void whatAKernelCannotDo() {
        assertFault(Kind.UNSUPPORTED, 0, -1, faultOf(KernelFaultsTest::takesTheSegment));
        KernelFault fault = faultOf(KernelFaultsTest::divides);
        assertFault(Kind.KERNEL_EXCEPTION, 2, -1, fault);
        assertTrue(fault.getCause() instanceof ArithmeticException);
    }

    static void copies(KernelContext context, FloatArray input, FloatArray output) {
        output.set(context.globalIdx, input.get(context.globalIdx));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "no multiple", "too large", "empty"})
    void invalidGrids(String what) {
        TaskGraph graph = new TaskGraph("wrong")
                .transferToDevice(EVERY, input)
                .task("kernel", KernelFaultsTest::copies, new KernelContext(), input, output)
                .transferToHost(EVERY, output);
        KernelFault fault = assertThrows(KernelFault.class, () -> {
            switch (what) {
                case "none" -> Plans.execute(graph, grid(ITEMS, GROUP));
                case "no multiple" -> Plans.execute(graph, grid(ITEMS - 1, GROUP), "kernel");
                case "too large" -> Plans.execute(graph, grid(2048, 2048), "kernel");
                default -> Plans.execute(graph, grid(0, 1), "kernel");
            }
        });
        assertFault(Kind.INVALID_GRID, -1, -1, fault);
    }

    /** A fault leaves the plan and the device usable. */
    @Test
    void goesOnAfterAFault() {
        assertFault(Kind.DIVERGENT_BARRIER, -1, -1, faultOf(KernelFaultsTest::returnsEarly));
        input.init(3);
        TaskGraph graph = new TaskGraph("right")
                .transferToDevice(EVERY, input)
                .task("kernel", KernelFaultsTest::copies, new KernelContext(), input, output)
                .transferToHost(EVERY, output);
        Plans.execute(graph, grid(ITEMS, GROUP), "kernel");
        assertEquals(3, output.get(ITEMS - 1));
    }
}
