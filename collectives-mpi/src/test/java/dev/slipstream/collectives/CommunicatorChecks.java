package dev.slipstream.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** What every transport and strategy must keep, checked from one rank's side; all ranks run the same checks. */
final class CommunicatorChecks {
    private final Communicator communicator;
    private final int rank;
    private final int ranks;

    CommunicatorChecks(Communicator communicator) {
        this.communicator = communicator;
        rank = communicator.rank();
        ranks = communicator.size();
    }

    /** Every type and reduction: near the float64 reference, the same bits on all ranks, in place or not. */
    void allReduces(long[] counts, boolean inRankOrder) {
        int variant = 0;
        for (ElementType type : ElementType.values()) {
            for (Reduction reduction : Reduction.values()) {
                for (long count : counts) {
                    variant++;
                    // Every rank makes all ranks' data, so with more ranks each case is only tried at some lengths.
                    if (reduction.supports(type) && (ranks <= 2 || variant % 4 == 0 || count < 10)) {
                        allReduce(type, reduction, count, variant / 4, inRankOrder);
                    }
                }
            }
        }
    }

    /** @param inRankOrder whether the bits must be those of a sum in rank order */
    void allReduce(ElementType type, Reduction reduction, long count, int variant, boolean inRankOrder) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment[] all = new MemorySegment[ranks];
            for (int other = 0; other < ranks; other++) {
                all[other] = Elements.random(arena, type, count, other, count, ranks);
            }
            MemorySegment send = buffer(arena, count * type.bytes(), variant % 2 == 0);
            send.copyFrom(all[rank]);
            MemorySegment receive = variant % 3 == 0 ? send : buffer(arena, count * type.bytes(), variant % 4 < 2);

            if (variant % 5 == 0) {
                communicator.allReduceAsync(send, receive, type, reduction).await();
            } else {
                communicator.allReduce(send, receive, type, reduction);
            }

            String what = type + " " + reduction + " of " + count + " on " + ranks + " ranks";
            if (receive.address() != send.address()) {
                assertEquals(-1, send.mismatch(all[rank]), what + ": the send buffer is left alone");
            }
            if (inRankOrder) {
                MemorySegment expected = arena.allocate(count * type.bytes(), 8);
                new Reducer().reduce(all, 0, new MemorySegment[] {expected}, 0, count * type.bytes(), type, reduction);
                assertEquals(-1, firstDifference(expected, receive, type), what + ": bits of the sum in rank order");
            } else {
                near(all, receive, type, reduction, what);
                sameOnAllRanks(receive, type, what);
            }
        }
    }

    private MemorySegment buffer(Arena arena, long bytes, boolean transports) {
        return transports ? communicator.allocate(bytes) : arena.allocate(bytes, 8);
    }

    private void near(MemorySegment[] all, MemorySegment result, ElementType type, Reduction reduction, String what) {
        long count = result.byteSize() / type.bytes();
        for (long i = 0; i < count; i++) {
            if (!type.isFloating()) {
                assertEquals(Elements.reduceLong(all, type, reduction, i), Elements.getLong(result, type, i), what);
                continue;
            }
            double expected = Elements.reduce(all, type, reduction, i);
            double actual = Elements.get(result, type, i);
            double magnitude = 0;
            for (MemorySegment contribution : all) {
                magnitude += Math.abs(Elements.get(contribution, type, i));
            }
            boolean exact = reduction == Reduction.MIN || reduction == Reduction.MAX || !Double.isFinite(expected);
            assertEquals(expected, actual, exact ? 0 : Elements.tolerance(type, magnitude, ranks), what);
        }
    }

    /** Compares all bits but a NaN's: which of two NaNs a sum hands on is the compiler's choice. */
    private static long firstDifference(MemorySegment expected, MemorySegment actual, ElementType type) {
        if (expected.mismatch(actual) < 0) {
            return -1;
        }
        for (long i = 0; i < expected.byteSize() / type.bytes(); i++) {
            if (bits(expected, type, i) != bits(actual, type, i)) {
                return i;
            }
        }
        return -1;
    }

    private static long bits(MemorySegment segment, ElementType type, long i) {
        return type.isFloating()
                ? Double.doubleToLongBits(Elements.get(segment, type, i))
                : Elements.getLong(segment, type, i);
    }

    /** All bits but a NaN's. */
    void sameOnAllRanks(MemorySegment result, ElementType type, String what) {
        CRC32C crc = new CRC32C();
        long count = result.byteSize() / type.bytes();
        for (long i = 0; i < count; i++) {
            long bits = bits(result, type, i);
            for (int shift = 0; shift < 64; shift += 8) {
                crc.update((int) (bits >>> shift));
            }
        }
        MemorySegment own = Arena.ofAuto().allocate(8);
        own.set(Loops.I64, 0, crc.getValue());
        MemorySegment all = Arena.ofAuto().allocate(8L * ranks);
        communicator.allGather(own, all, ElementType.INT64);
        for (int other = 0; other < ranks; other++) {
            assertEquals(crc.getValue(), all.get(Loops.I64, other * 8L), what + ": bits of rank " + other);
        }
    }

    void sixteenBitAverages() {
        MemorySegment buffer = communicator.allocate(4);
        Elements.set(buffer, ElementType.FLOAT16, 0, 60_000);
        Elements.set(buffer, ElementType.FLOAT16, 1, 6e-8);
        communicator.allReduce(buffer, ElementType.FLOAT16, Reduction.AVERAGE);
        assertEquals(60_000, Elements.get(buffer, ElementType.FLOAT16, 0));
        assertEquals(0x1p-24, Elements.get(buffer, ElementType.FLOAT16, 1));
    }

    void otherCollectives(long[] lengths) {
        for (long count : lengths) {
            for (int root = 0; root < ranks; root++) {
                MemorySegment buffer = filled(count, rank);
                communicator.broadcast(buffer, ElementType.INT64, root);
                assertHolds(buffer, 0, count, root);
            }
            MemorySegment gathered = communicator.allocate(count * 8 * ranks);
            communicator.allGather(filled(count, rank), gathered, ElementType.INT64);
            for (int other = 0; other < ranks; other++) {
                assertHolds(gathered, other * count, count, other);
            }
            long[] counts = new long[ranks];
            Arrays.setAll(counts, other -> count * other + (other == 1 ? 0 : 3));
            MemorySegment unequal =
                    Arena.ofAuto().allocate(Arrays.stream(counts).sum() * 8, 8);
            communicator.allGather(filled(counts[rank], rank), unequal, ElementType.INT64, counts);
            long at = 0;
            for (int other = 0; other < ranks; other++) {
                assertHolds(unequal, at, counts[other], other);
                at += counts[other];
            }
            reduceScatter(count);
            communicator.barrier();
        }
    }

    private void reduceScatter(long count) {
        MemorySegment parts = count % 2 == 0
                ? communicator.allocate(count * 8 * ranks)
                : Arena.ofAuto().allocate(count * 8 * ranks, 8);
        for (long i = 0; i < count * ranks; i++) {
            parts.set(Loops.I64, i * 8, i + rank);
        }
        MemorySegment own = communicator.allocate(count * 8);
        communicator.reduceScatter(parts, own, ElementType.INT64, Reduction.SUM);
        for (long i = 0; i < count; i++) {
            long expected = (rank * count + i) * ranks + (long) ranks * (ranks - 1) / 2;
            assertEquals(expected, own.get(Loops.I64, i * 8));
        }
    }

    private MemorySegment filled(long count, long value) {
        MemorySegment buffer = count % 2 == 0
                ? communicator.allocate(count * 8)
                : Arena.ofAuto().allocate(count * 8, 8);
        for (long i = 0; i < count; i++) {
            buffer.set(Loops.I64, i * 8, value * 1_000_000 + i);
        }
        return buffer;
    }

    private static void assertHolds(MemorySegment buffer, long from, long count, long value) {
        for (long i = 0; i < count; i++) {
            assertEquals(value * 1_000_000 + i, buffer.get(Loops.I64, (from + i) * 8));
        }
    }

    void messages() {
        if (ranks == 1) {
            return;
        }
        int next = (rank + 1) % ranks;
        int previous = (rank + ranks - 1) % ranks;
        for (int message = 0; message < 50; message++) {
            MemorySegment out = filled(1 + message * 100L, rank * 50L + message);
            MemorySegment in = communicator.allocate(out.byteSize());
            if (rank == 0) {
                communicator.send(out, ElementType.INT64, next);
                communicator.receive(in, ElementType.INT64, previous);
            } else {
                communicator.receive(in, ElementType.INT64, previous);
                communicator.send(out, ElementType.INT64, next);
            }
            assertHolds(in, 0, in.byteSize() / 8, previous * 50L + message);
        }
        if (rank < 2) {
            var mismatch = assertThrows(CollectiveMismatchException.class, () -> {
                if (rank == 0) {
                    communicator.send(communicator.allocate(8), ElementType.INT64, 1);
                } else {
                    communicator.receive(communicator.allocate(16), ElementType.INT64, 0);
                }
            });
            assertEquals("Rank 0 sends 1 INT64, but rank 1 receives 2 INT64.", mismatch.getMessage());
        }
    }

    void splits(int rounds) {
        for (int round = 0; round < rounds; round++) {
            int color = -(rank % 2);
            try (Communicator part = communicator.split(color, -rank)) {
                assertEquals((ranks + 1 + color) / 2, part.size());
                assertEquals(part.size() - 1 - rank / 2, part.rank());
                MemorySegment sum = part.allocate(8);
                sum.set(Loops.I64, 0, rank);
                part.allReduce(sum, ElementType.INT64, Reduction.SUM);
                long expected = 0;
                for (int other = rank % 2; other < ranks; other += 2) {
                    expected += other;
                }
                assertEquals(expected, sum.get(Loops.I64, 0));
                part.barrier();
            }
        }
    }

    /** Many operations in flight beside blocking ones; the caller drops its references to buffers of some. */
    void schedules(int seed) throws InterruptedException {
        Random pauses = new Random(seed * 31L + rank);
        Random choices = new Random(seed);
        List<CollectiveHandle> handles = new ArrayList<>();
        List<MemorySegment> buffers = new ArrayList<>();
        long ofRanks = (long) ranks * (ranks - 1) / 2;
        for (int i = 0; i < 60; i++) {
            long count = choices.nextInt(3) == 0 ? 5_000 : 10;
            boolean kept = choices.nextInt(4) > 0;
            MemorySegment buffer =
                    kept ? communicator.allocate(count * 8) : Arena.ofAuto().allocate(count * 8, 8);
            for (long at = 0; at < count; at++) {
                buffer.set(Loops.I64, at * 8, rank + i);
            }
            if (choices.nextBoolean()) {
                handles.add(communicator.allReduceAsync(buffer, ElementType.INT64, Reduction.SUM));
            } else {
                communicator.allReduce(buffer, ElementType.INT64, Reduction.SUM);
                assertEquals(ofRanks + (long) ranks * i, buffer.get(Loops.I64, (count - 1) * 8));
            }
            buffers.add(kept ? buffer : MemorySegment.NULL);
            if (pauses.nextInt(8) == 0) {
                Thread.sleep(pauses.nextInt(3));
                System.gc();
            }
        }
        handles.forEach(CollectiveHandle::await);
        for (int i = 0; i < buffers.size(); i++) {
            if (buffers.get(i).byteSize() > 0) {
                assertEquals(ofRanks + (long) ranks * i, buffers.get(i).get(Loops.I64, 0));
            }
        }
        assertTrue(handles.stream().allMatch(CollectiveHandle::isDone));
    }

    /** The last rank calls something else: an error on every rank, untouched buffers, and the group goes on. */
    void mismatches() {
        if (ranks == 1) {
            return;
        }
        boolean odd = rank == ranks - 1;
        MemorySegment buffer = communicator.allocate(80_000);
        MemorySegment all = communicator.allocate(80_000L * ranks);
        List<Runnable> calls = List.of(
                () -> communicator.allReduce(
                        odd ? buffer.asSlice(0, 40_000) : buffer, ElementType.FLOAT32, Reduction.SUM),
                () -> communicator.allReduce(buffer, odd ? ElementType.INT32 : ElementType.FLOAT32, Reduction.SUM),
                () -> communicator.allReduce(buffer, ElementType.FLOAT32, odd ? Reduction.MAX : Reduction.SUM),
                () -> communicator.allReduce(odd ? buffer.asSlice(0, 8) : buffer, ElementType.FLOAT32, Reduction.SUM),
                () -> communicator.broadcast(buffer, ElementType.FLOAT32, odd ? 1 : 0),
                () -> {
                    if (odd) {
                        communicator.barrier();
                    } else {
                        communicator.allGather(buffer, all, ElementType.FLOAT32);
                    }
                });
        buffer.fill((byte) rank);
        for (Runnable call : calls) {
            var mismatch = assertThrows(CollectiveMismatchException.class, call::run);
            String message = mismatch.getMessage();
            assertTrue(message.contains("rank 0 calls") && message.contains("rank " + (ranks - 1) + " calls"), message);
        }
        for (long i = 0; i < buffer.byteSize(); i++) {
            assertEquals(rank, buffer.get(ValueLayout.JAVA_BYTE, i));
        }
        communicator.allReduce(buffer, ElementType.UINT8, Reduction.MAX);
        assertEquals(ranks - 1, buffer.get(ValueLayout.JAVA_BYTE, 77_777));
    }
}
