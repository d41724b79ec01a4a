package dev.slipstream.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalCommunicatorTest {
    /** Around vector lengths, the inline limit and the parts' cache lines. */
    private static final long[] COUNTS = {0, 1, 7, 15, 16, 17, 255, 256, 257, 1023, 1025, 4097, 65_537};

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void allReduceEqualsTheReferenceInRankOrder(ElementType type) {
        for (int ranks : new int[] {1, 2, 3, 4, 5}) {
            Ranks.run(ranks, communicator -> {
                try (Arena arena = Arena.ofShared()) {
                    for (Reduction reduction : Reduction.values()) {
                        if (!reduction.supports(type)) {
                            continue;
                        }
                        for (long count : COUNTS) {
                            checkAllReduce(communicator, arena, type, reduction, count, count % 2 == 0);
                        }
                    }
                }
            });
        }
    }

    private static void checkAllReduce(
            Communicator communicator,
            Arena arena,
            ElementType type,
            Reduction reduction,
            long count,
            boolean inPlace) {
        int ranks = communicator.size();
        MemorySegment[] all = new MemorySegment[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            all[rank] = Elements.random(arena, type, count, rank, count, ranks);
        }
        MemorySegment send = communicator.allocate(count * type.bytes());
        send.copyFrom(all[communicator.rank()]);
        MemorySegment receive = inPlace ? send : communicator.allocate(count * type.bytes());

        communicator.allReduce(send, receive, type, reduction);

        for (long i = 0; i < count; i++) {
            long element = i;
            Supplier<String> where =
                    () -> type + " " + reduction + " of " + count + " on " + ranks + " ranks, element " + element;
            if (!type.isFloating()) {
                assertEquals(Elements.reduceLong(all, type, reduction, i), Elements.getLong(receive, type, i), where);
                continue;
            }
            double expected = Elements.reduce(all, type, reduction, i);
            double actual = Elements.get(receive, type, i);
            if (reduction == Reduction.MIN || reduction == Reduction.MAX) {
                assertEquals(expected, actual, where); // also tells -0.0 from 0.0
                continue;
            }
            double magnitude = 0;
            for (MemorySegment contribution : all) {
                magnitude += Math.abs(Elements.get(contribution, type, i));
            }
            if (Double.isNaN(expected) || Double.isInfinite(expected)) {
                assertEquals(expected, actual, where);
            } else {
                assertEquals(expected, actual, Elements.tolerance(type, magnitude, ranks), where);
            }
        }
        if (!inPlace) {
            assertEquals(-1, send.mismatch(all[communicator.rank()]), "the send buffer is left alone");
        }
    }

    @Test
    void everyRankHoldsTheSameBitsAndSoDoesEveryRun() {
        int ranks = 4;
        long count = 100_003;
        MemorySegment[] results = new MemorySegment[2 * ranks];
        try (Arena arena = Arena.ofShared()) {
            for (int run = 0; run < 2; run++) {
                int offset = run * ranks;
                Ranks.run(ranks, communicator -> {
                    MemorySegment buffer =
                            Elements.random(arena, ElementType.FLOAT32, count, communicator.rank(), 5, ranks);
                    communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM);
                    results[offset + communicator.rank()] = buffer;
                });
            }
            for (MemorySegment result : results) {
                assertEquals(-1, results[0].mismatch(result));
            }
        }
    }

    @Test
    void sixteenBitAveragesNeitherOverflowNorUnderflow() {
        Ranks.run(4, communicator -> {
            MemorySegment buffer = communicator.allocate(4);
            Elements.set(buffer, ElementType.FLOAT16, 0, 60_000);
            Elements.set(buffer, ElementType.FLOAT16, 1, 6e-8);
            communicator.allReduce(buffer, ElementType.FLOAT16, Reduction.AVERAGE);
            assertEquals(60_000, Elements.get(buffer, ElementType.FLOAT16, 0));
            assertEquals(0x1p-24, Elements.get(buffer, ElementType.FLOAT16, 1));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5_000})
    void integerSumsThatLeaveTheRangeAreAnErrorOnEveryRank(int count) {
        for (ElementType type : List.of(ElementType.INT32, ElementType.INT64, ElementType.UINT8)) {
            var failures = Ranks.failures(2, Ranks.OPTIONS, communicator -> {
                MemorySegment buffer = communicator.allocate((long) count * type.bytes());
                buffer.fill((byte) 0x7F);
                if (type == ElementType.UINT8) {
                    buffer.fill((byte) 0xFF);
                }
                communicator.allReduce(buffer, type, Reduction.SUM);
            });
            for (Throwable failure : failures) {
                assertInstanceOf(CollectiveException.class, failure);
                assertTrue(failure.getMessage().contains("range of " + type), failure.getMessage());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void theOtherCollectivesMoveWhatTheySay(int ranks) {
        Ranks.run(ranks, communicator -> {
            int rank = communicator.rank();
            for (long count : new long[] {0, 1, 7, 257, 5_000}) {
                for (int root = 0; root < ranks; root++) {
                    MemorySegment buffer = filled(communicator, count, rank);
                    communicator.broadcast(buffer, ElementType.INT64, root);
                    assertHolds(buffer, 0, count, root);
                }

                MemorySegment gathered = communicator.allocate(count * 8 * ranks);
                communicator.allGather(filled(communicator, count, rank), gathered, ElementType.INT64);
                for (int other = 0; other < ranks; other++) {
                    assertHolds(gathered, other * count, count, other);
                }

                long[] counts = new long[ranks];
                long sum = 0;
                for (int other = 0; other < ranks; other++) {
                    counts[other] = count * other + (other == 1 ? 0 : 3);
                    sum += counts[other];
                }
                MemorySegment unequal = communicator.allocate(sum * 8);
                communicator.allGather(filled(communicator, counts[rank], rank), unequal, ElementType.INT64, counts);
                long at = 0;
                for (int other = 0; other < ranks; other++) {
                    assertHolds(unequal, at, counts[other], other);
                    at += counts[other];
                }

                MemorySegment parts = communicator.allocate(count * 8 * ranks);
                for (long i = 0; i < count * ranks; i++) {
                    parts.set(Loops.I64, i * 8, i + rank);
                }
                MemorySegment own = communicator.allocate(count * 8);
                communicator.reduceScatter(parts, own, ElementType.INT64, Reduction.SUM);
                for (long i = 0; i < count; i++) {
                    long expected = (rank * count + i) * ranks + (long) ranks * (ranks - 1) / 2;
                    assertEquals(expected, own.get(Loops.I64, i * 8));
                }
                communicator.barrier();
            }
        });
    }

    private static MemorySegment filled(Communicator communicator, long count, long rank) {
        MemorySegment buffer = communicator.allocate(count * 8);
        for (long i = 0; i < count; i++) {
            buffer.set(Loops.I64, i * 8, rank * 1_000_000 + i);
        }
        return buffer;
    }

    private static void assertHolds(MemorySegment buffer, long from, long count, long rank) {
        for (long i = 0; i < count; i++) {
            assertEquals(rank * 1_000_000 + i, buffer.get(Loops.I64, (from + i) * 8));
        }
    }

    @Test
    void messagesBetweenTwoRanksArriveInOrder() {
        Ranks.run(3, communicator -> {
            int next = (communicator.rank() + 1) % 3;
            int previous = (communicator.rank() + 2) % 3;
            for (int message = 0; message < 200; message++) {
                MemorySegment out = communicator.allocate(8);
                MemorySegment in = communicator.allocate(8);
                out.set(Loops.I64, 0, communicator.rank() * 1000L + message);
                if (communicator.rank() == 0) {
                    communicator.send(out, ElementType.INT64, next);
                    communicator.receive(in, ElementType.INT64, previous);
                } else {
                    communicator.receive(in, ElementType.INT64, previous);
                    communicator.send(out, ElementType.INT64, next);
                }
                assertEquals(previous * 1000L + message, in.get(Loops.I64, 0));
            }
        });
    }

    @Test
    void aMessageOfAnotherSizeIsAnErrorOnBothSides() {
        var failures = Ranks.failures(2, Ranks.OPTIONS, communicator -> {
            if (communicator.rank() == 0) {
                communicator.send(communicator.allocate(8), ElementType.INT64, 1);
            } else {
                communicator.receive(communicator.allocate(16), ElementType.INT64, 0);
            }
        });
        for (Throwable failure : failures) {
            assertInstanceOf(CollectiveMismatchException.class, failure);
            assertEquals("Rank 0 sends 1 INT64, but rank 1 receives 2 INT64.", failure.getMessage());
        }
    }

    @Test
    void splitFormsGroupsByColorOrderedByKey() {
        Ranks.run(5, communicator -> {
            for (int round = 0; round < 20; round++) {
                int color = communicator.rank() % 2;
                try (Communicator part = communicator.split(color, -communicator.rank())) {
                    assertEquals(color == 0 ? 3 : 2, part.size());
                    assertEquals(part.size() - 1 - communicator.rank() / 2, part.rank());
                    MemorySegment sum = part.allocate(8);
                    sum.set(Loops.I64, 0, communicator.rank());
                    part.allReduce(sum, ElementType.INT64, Reduction.SUM);
                    assertEquals(color == 0 ? 0 + 2 + 4 : 1 + 3, sum.get(Loops.I64, 0));
                    part.barrier();
                }
            }
        });
    }

    @Test
    void asynchronousAndBlockingOperationsKeepTheirOrder() {
        for (int seed = 0; seed < 20; seed++) {
            int salt = seed;
            Ranks.run(3, communicator -> {
                Random pauses = new Random(salt * 31L + communicator.rank());
                Random choices = new Random(salt);
                List<CollectiveHandle> handles = new ArrayList<>();
                List<MemorySegment> buffers = new ArrayList<>();
                List<Long> expected = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    long count = choices.nextInt(3) == 0 ? 5_000 : 10;
                    MemorySegment buffer = communicator.allocate(count * 8);
                    for (long at = 0; at < count; at++) {
                        buffer.set(Loops.I64, at * 8, communicator.rank() + i);
                    }
                    if (choices.nextBoolean()) {
                        handles.add(communicator.allReduceAsync(buffer, ElementType.INT64, Reduction.SUM));
                    } else {
                        communicator.allReduce(buffer, ElementType.INT64, Reduction.SUM);
                        assertEquals(3 + 3L * i, buffer.get(Loops.I64, (count - 1) * 8));
                    }
                    buffers.add(buffer);
                    expected.add(3 + 3L * i);
                    if (pauses.nextInt(8) == 0) {
                        Thread.sleep(pauses.nextInt(3));
                    }
                }
                handles.forEach(CollectiveHandle::await);
                for (int i = 0; i < buffers.size(); i++) {
                    assertEquals(expected.get(i), buffers.get(i).get(Loops.I64, 0));
                }
                assertTrue(handles.stream().allMatch(CollectiveHandle::isDone));
            });
        }
    }

    @Test
    void ranksThatCallDifferentThingsAllSeeBothSidesAndGoOn() {
        Ranks.run(3, communicator -> {
            boolean odd = communicator.rank() == 2;
            MemorySegment buffer = communicator.allocate(80_000);
            List<Runnable> calls = List.of(
                    () -> communicator.allReduce(
                            odd ? buffer.asSlice(0, 40_000) : buffer, ElementType.FLOAT32, Reduction.SUM),
                    () -> communicator.allReduce(buffer, odd ? ElementType.INT32 : ElementType.FLOAT32, Reduction.SUM),
                    () -> communicator.allReduce(buffer, ElementType.FLOAT32, odd ? Reduction.MAX : Reduction.SUM),
                    () -> communicator.allReduce(
                            odd ? buffer.asSlice(0, 8) : buffer, ElementType.FLOAT32, Reduction.SUM),
                    () -> communicator.broadcast(buffer, ElementType.FLOAT32, odd ? 1 : 0),
                    () -> {
                        if (odd) {
                            communicator.barrier();
                        } else {
                            communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM);
                        }
                    });
            buffer.fill((byte) communicator.rank());
            for (Runnable call : calls) {
                var mismatch = assertThrows(CollectiveMismatchException.class, call::run);
                assertTrue(
                        mismatch.getMessage().contains("rank 0 calls")
                                && mismatch.getMessage().contains("rank 2 calls"),
                        mismatch.getMessage());
            }
            for (long i = 0; i < buffer.byteSize(); i++) {
                assertEquals(communicator.rank(), buffer.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i));
            }
            communicator.allReduce(buffer, ElementType.UINT8, Reduction.MAX);
            assertEquals(2, buffer.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 77_777));
        });
    }

    @Test
    void wrongArgumentsAreNamedBeforeAnythingIsSent() {
        Ranks.run(2, communicator -> {
            MemorySegment buffer = communicator.allocate(64);
            assertArgument(
                    "heap",
                    () -> communicator.allReduce(
                            MemorySegment.ofArray(new float[4]), ElementType.FLOAT32, Reduction.SUM));
            assertArgument(
                    "no multiple of the 4",
                    () -> communicator.allReduce(buffer.asSlice(0, 6), ElementType.FLOAT32, Reduction.SUM));
            assertArgument(
                    "AVERAGE is not defined for INT32",
                    () -> communicator.allReduce(buffer, ElementType.INT32, Reduction.AVERAGE));
            assertArgument(
                    "BAND is not defined for FLOAT16",
                    () -> communicator.allReduce(buffer, ElementType.FLOAT16, Reduction.BAND));
            assertArgument(
                    "overlap",
                    () -> communicator.allReduce(
                            buffer.asSlice(0, 32), buffer.asSlice(16, 32), ElementType.INT32, Reduction.SUM));
            assertArgument(
                    "equal sizes",
                    () -> communicator.allReduce(buffer, communicator.allocate(32), ElementType.INT32, Reduction.SUM));
            assertArgument(
                    "read-only", () -> communicator.allReduce(buffer.asReadOnly(), ElementType.INT32, Reduction.SUM));
            assertArgument("root 2", () -> communicator.broadcast(buffer, ElementType.INT32, 2));
            assertArgument("destination -1", () -> communicator.send(buffer, ElementType.INT32, -1));
            assertArgument(
                    "announces",
                    () -> communicator.allGather(
                            buffer, communicator.allocate(128), ElementType.INT32, new long[] {5, 5}));
            communicator.barrier();
        });
    }

    private static void assertArgument(String part, Runnable call) {
        var error = assertThrows(IllegalArgumentException.class, call::run);
        assertTrue(error.getMessage().contains(part), error.getMessage());
    }

    @Test
    void aRankThatNeverComesIsNamedAfterTheDeadline() {
        CountDownLatch over = new CountDownLatch(2);
        var failures = Ranks.failures(3, Ranks.OPTIONS.withTimeout(Duration.ofMillis(200)), communicator -> {
            communicator.barrier();
            if (communicator.rank() == 1) {
                over.await();
                return;
            }
            try {
                communicator.allReduce(communicator.allocate(40_000), ElementType.FLOAT32, Reduction.SUM);
            } finally {
                over.countDown();
            }
        });
        assertEquals(null, failures.get(1));
        for (int rank : new int[] {0, 2}) {
            Throwable failure = failures.get(rank);
            assertNotNull(failure);
            assertTrue(
                    failure.getMessage().contains("Operation 2 (all-reduce SUM of 10000 FLOAT32)")
                            && failure.getMessage().contains("[1] did not arrive"),
                    failure.getMessage());
        }
    }

    @Test
    void abortAndCloseEndTheOthersWaits() {
        for (boolean abort : new boolean[] {true, false}) {
            var failures = Ranks.failures(3, Ranks.OPTIONS, communicator -> {
                if (communicator.rank() == 1) {
                    Thread.sleep(20);
                    if (abort) {
                        communicator.abort("the data ran out");
                    }
                    return;
                }
                CollectiveHandle handle =
                        communicator.allReduceAsync(communicator.allocate(8), ElementType.FLOAT32, Reduction.SUM);
                communicator.allReduceAsync(communicator.allocate(8), ElementType.FLOAT32, Reduction.SUM);
                handle.await();
            });
            for (int rank : new int[] {0, 2}) {
                Throwable failure = failures.get(rank);
                assertInstanceOf(CommunicatorAbortedException.class, failure);
                assertTrue(
                        failure.getMessage()
                                .contains(
                                        abort
                                                ? "Rank 1 ended the group: the data ran out"
                                                : "rank 1, which has closed"),
                        failure.getMessage());
            }
        }
    }

    @Test
    void aCallersOwnBoundEndsTheGroup() {
        var failures = Ranks.failures(2, Ranks.OPTIONS, communicator -> {
            if (communicator.rank() == 1) {
                while (true) {
                    communicator.allocate(0);
                    Thread.sleep(5);
                    communicator.send(communicator.allocate(8), ElementType.FLOAT32, 0); // until the group has ended
                }
            }
            communicator
                    .allReduceAsync(communicator.allocate(8), ElementType.FLOAT32, Reduction.SUM)
                    .await(Duration.ofMillis(50));
        });
        for (Throwable failure : failures) {
            assertInstanceOf(CommunicatorAbortedException.class, failure);
            assertTrue(failure.getMessage().contains("PT0.05S"), failure.getMessage());
        }
    }

    @Test
    void useAfterCloseIsAnErrorAndClosingTwiceIsNot() {
        Communicator communicator = Communicator.local(1).getFirst();
        communicator.close();
        communicator.close();
        assertThrows(CommunicatorAbortedException.class, communicator::barrier);
        assertThrows(CommunicatorAbortedException.class, () -> communicator.allocate(8));
    }

    @Test
    void aGroupNeedsARank() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Communicator.local(0))
                .getMessage()
                .contains("at least 1 rank"));
    }

    @Test
    void closingLeavesNoThreadBehind() {
        for (int round = 0; round < 50; round++) {
            Ranks.run(
                    2,
                    communicator -> communicator
                            .allReduceAsync(communicator.allocate(8), ElementType.FLOAT32, Reduction.SUM)
                            .await());
        }
        long left = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("slipstream-comm"))
                .count();
        assertEquals(0, left);
    }
}
