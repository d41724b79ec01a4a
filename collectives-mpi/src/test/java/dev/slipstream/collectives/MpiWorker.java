package dev.slipstream.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.collectives.strategy.StrategyFigure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/** Runs on every rank under mpirun: the checks of the {@code mpi} transport with one strategy. */
final class MpiWorker {
    private static final long[] COUNTS = {0, 1, 7, 255, 256, 257, 1023, 1025, 4097};
    private static final CommunicatorOptions OPTIONS =
            CommunicatorOptions.defaults().withTimeout(Duration.ofSeconds(30));

    private final Strategy strategy;
    private final int localGroupSize;

    private MpiWorker(Strategy strategy, int localGroupSize) {
        this.strategy = strategy;
        this.localGroupSize = localGroupSize;
    }

    /** Arguments such as {@code ring:2:values}: strategy, localGroupSize, and what to run, one after another. */
    public static void main(String[] args) throws Exception {
        assertTrue(MpiLaunch.isUnderMpirun());
        assertTrue(Communicator.mpiUnavailable().isEmpty());
        for (String arg : args) {
            String[] parts = arg.split(":");
            MpiWorker worker = new MpiWorker(Strategy.parse(parts[0]), Integer.parseInt(parts[1]));
            switch (parts[2]) {
                case "all" -> {
                    worker.allReduces(true);
                    worker.others(true);
                    worker.faults();
                }
                case "values" -> worker.allReduces(true);
                case "unchecked" -> {
                    worker.allReduces(false);
                    worker.others(false);
                }
                case "faults" -> worker.faults();
                case "killed" -> worker.killed();
                case "chooses" -> worker.chooses();
                default -> throw new IllegalArgumentException(arg);
            }
        }
        System.out.println("rank " + MpiLaunch.rank() + " done");
    }

    private Communicator open(CommunicatorOptions options) {
        return Communicator.mpi(options.withStrategy(strategy).withLocalGroupSize(localGroupSize));
    }

    private void allReduces(boolean headerCheck) {
        try (Communicator communicator = open(OPTIONS.withHeaderCheck(headerCheck))) {
            assertEquals("mpi", communicator.transport());
            assertEquals(MpiLaunch.rank(), communicator.rank());
            assertEquals(MpiLaunch.worldSize(), communicator.size());
            boolean inRankOrder =
                    communicator.size() <= 2 || strategy == Strategy.PIPELINE || strategy == Strategy.SHARED;
            CommunicatorChecks checks = new CommunicatorChecks(communicator);
            checks.allReduces(COUNTS, inRankOrder);
            for (int variant = 0; variant < 2; variant++) {
                checks.allReduce(ElementType.FLOAT32, Reduction.AVERAGE, 65_537, variant, false);
                checks.allReduce(ElementType.BFLOAT16, Reduction.SUM, 65_535, variant, true);
                checks.allReduce(ElementType.FLOAT64, Reduction.MAX, 65_536, variant, false);
                checks.allReduce(ElementType.FLOAT32, Reduction.SUM, 300_001, 3 + variant, inRankOrder);
            }
            checks.sixteenBitAverages();
        }
    }

    private void others(boolean headerCheck) throws Exception {
        try (Communicator communicator = open(OPTIONS.withHeaderCheck(headerCheck))) {
            CommunicatorChecks checks = new CommunicatorChecks(communicator);
            checks.otherCollectives(new long[] {0, 1, 7, 257, 5_000, 100_000});
            checks.messages();
            checks.splits(10);
            for (int seed = 0; seed < 3; seed++) {
                checks.schedules(seed);
            }
            if (headerCheck) {
                checks.mismatches();
            }
        }
    }

    /** Each on a communicator of its own, since a failure ends one. */
    private void faults() throws Exception {
        try (Communicator control = Communicator.mpi(OPTIONS)) {
            if (control.size() > 1) {
                aMissingRankIsNamed(control);
                callersOwnBound(control);
                aborts(control);
                closes(control);
                differentOptions();
            }
            for (int count : new int[] {3, 5_000}) {
                overflows(count);
            }
            useAfterClose();
            control.barrier();
        }
    }

    private void aMissingRankIsNamed(Communicator control) {
        Duration timeout = Duration.ofSeconds(1);
        try (Communicator communicator = open(OPTIONS.withTimeout(timeout))) {
            MemorySegment buffer = communicator.allocate(4000);
            communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM);
            if (communicator.rank() != 1) {
                var failure = assertThrows(
                        CollectiveException.class,
                        () -> communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM));
                String message = failure.getMessage();
                assertTrue(message.contains("Operation 2 (all-reduce SUM of 1000 FLOAT32)"), message);
                assertTrue(message.contains("rank(s) [1] did not arrive"), message);
                if (failure instanceof CollectiveTimeoutException late) {
                    assertEquals(List.of(1), late.missingRanks());
                }
            }
            control.barrier();
            assertThrows(CommunicatorAbortedException.class, communicator::barrier);
        }
    }

    private void callersOwnBound(Communicator control) {
        try (Communicator communicator = open(OPTIONS)) {
            if (communicator.rank() != 1) {
                CollectiveHandle handle =
                        communicator.allReduceAsync(communicator.allocate(400), ElementType.FLOAT32, Reduction.SUM);
                var failure = assertThrows(CollectiveException.class, () -> handle.await(Duration.ofMillis(100)));
                assertTrue(failure.getMessage().contains("[1] did not arrive"), failure.getMessage());
                assertTrue(handle.isDone());
            }
            control.barrier();
        }
    }

    private void aborts(Communicator control) {
        try (Communicator communicator = open(OPTIONS)) {
            if (communicator.rank() == 0) {
                communicator.abort("no more digits");
            }
            var failure = assertThrows(CommunicatorAbortedException.class, communicator::barrier);
            assertTrue(failure.getMessage().contains("Rank 0 ended the group: no more digits"), failure.getMessage());
            control.barrier();
        }
    }

    private void closes(Communicator control) {
        Communicator communicator = open(OPTIONS);
        MemorySegment buffer = communicator.allocate(80_000);
        communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM);
        if (communicator.rank() == 1) {
            communicator.close();
        } else {
            assertThrows(
                    CommunicatorAbortedException.class,
                    () -> communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM));
        }
        control.barrier();
        communicator.close();
        communicator.close();
    }

    private void differentOptions() {
        var failure = assertThrows(
                CollectiveMismatchException.class, () -> open(OPTIONS.withHeaderCheck(MpiLaunch.rank() == 1)));
        assertTrue(failure.getMessage().contains("options"), failure.getMessage());
    }

    private void overflows(int count) {
        for (ElementType type : List.of(ElementType.INT32, ElementType.INT64, ElementType.UINT8)) {
            try (Communicator communicator = open(OPTIONS)) {
                MemorySegment buffer = communicator.allocate((long) count * type.bytes());
                buffer.fill(type == ElementType.UINT8 ? (byte) 0xFF : (byte) 0x7F);
                if (communicator.size() == 1) {
                    communicator.allReduce(buffer, type, Reduction.SUM);
                    continue;
                }
                var failure = assertThrows(
                        CollectiveException.class, () -> communicator.allReduce(buffer, type, Reduction.SUM));
                assertTrue(failure.getMessage().contains("range of " + type), failure.getMessage());
            }
        }
    }

    private void useAfterClose() {
        Communicator communicator = open(OPTIONS);
        communicator.close();
        assertThrows(CommunicatorAbortedException.class, communicator::barrier);
        assertThrows(CommunicatorAbortedException.class, () -> communicator.allocate(8));
        MemorySegment buffer = Arena.ofAuto().allocate(8);
        CollectiveHandle handle = communicator.allReduceAsync(buffer, ElementType.INT64, Reduction.SUM);
        assertThrows(CommunicatorAbortedException.class, handle::await);
        assertFalse(buffer.isReadOnly());
    }

    /** Auto tries every strategy, on all ranks at the same operations, and every sum is right. */
    private void chooses() {
        try (Communicator communicator = open(OPTIONS)) {
            int ranks = communicator.size();
            int operations = 150;
            for (int count : new int[] {3, 20_000}) {
                MemorySegment buffer = communicator.allocate(4L * count);
                for (int i = 0; i < operations; i++) {
                    for (int at = 0; at < count; at++) {
                        buffer.setAtIndex(ValueLayout.JAVA_FLOAT, at, communicator.rank() + at + i);
                    }
                    communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM);
                    float ofRanks = ranks * (ranks - 1) / 2f;
                    for (int at = 0; at < count; at++) {
                        float expected = ofRanks + ranks * (float) (at + i);
                        if (buffer.getAtIndex(ValueLayout.JAVA_FLOAT, at) != expected) {
                            assertEquals(expected, buffer.getAtIndex(ValueLayout.JAVA_FLOAT, at));
                        }
                    }
                }
            }
            CommunicatorStats stats = communicator.stats();
            assertEquals(2 * operations, stats.operations());
            assertEquals(4L * operations * 20_003, stats.bytes());
            assertEquals(0, stats.pendingOperations());
            assertTrue(ranks == 1 || stats.busBandwidth() > 0);
            long classes = stats.figures().stream()
                    .map(StrategyFigure::leastBytes)
                    .distinct()
                    .count();
            assertEquals(2, classes);
            for (Strategy each : List.of(Strategy.NATIVE, Strategy.RING, Strategy.TREE, Strategy.PIPELINE)) {
                assertEquals(
                        2,
                        stats.figures().stream()
                                .filter(figure -> figure.strategy() == each)
                                .count());
            }
            assertEquals(
                    2, stats.figures().stream().filter(StrategyFigure::chosen).count());
        }
    }

    /** Rank 1 is killed; the others wait for it. */
    private void killed() throws Exception {
        Communicator communicator = open(OPTIONS);
        communicator.barrier();
        if (communicator.rank() == 1) {
            String self = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("kill", "-KILL", self).start().waitFor();
        }
        communicator.barrier();
    }
}
