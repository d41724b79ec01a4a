package dev.slipstream.bench;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * One rank's measurement of one size.
 *
 * @param micros median of an all-reduce in place, from a barrier to this rank's return
 * @param outOfPlaceMicros the same with a second buffer for the result
 * @param plainMicros median of the plain addition, from a barrier to the next
 * @param wrong elements that are not what they should be, of one all-reduce in place
 * @param outOfPlaceWrong of one out of place
 */
record AllReduceTiming(double micros, double outOfPlaceMicros, double plainMicros, long wrong, long outOfPlaceWrong) {
    private static final VectorSpecies<Float> F = FloatVector.SPECIES_PREFERRED;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** Work for about a second, within bounds that leave a median meaningful. */
    private static int iterations(long bytes) {
        return Math.clamp((1L << 30) / Math.max(bytes, 1), 20, 2_000);
    }

    /** @param leastWarmup iterations, of two all-reduces each, before the first that counts */
    static AllReduceTiming measure(
            Communicator communicator,
            Optional<MemorySegment[]> everyone,
            long bytes,
            ElementType type,
            Reduction reduction,
            int leastWarmup) {
        MemorySegment buffer = communicator.allocate(bytes);
        MemorySegment result = communicator.allocate(bytes);
        everyone.ifPresent(all -> all[communicator.rank()] = buffer);
        int iterations = iterations(bytes);
        int warmup = Math.max(leastWarmup, iterations / 4);
        Median reduce = new Median(iterations);
        Median reduceOutOfPlace = new Median(iterations);
        Median plain = new Median(iterations);
        for (int i = -warmup; i < iterations; i++) {
            clear(buffer, type);
            if (everyone.isPresent()) {
                communicator.barrier();
                long start = System.nanoTime();
                addSlice(everyone.get(), communicator.rank(), bytes);
                communicator.barrier();
                if (i >= 0) {
                    plain.add(System.nanoTime() - start);
                }
            }
            communicator.barrier();
            long outOfPlaceStart = System.nanoTime();
            communicator.allReduce(buffer, result, type, reduction);
            long outOfPlaceEnd = System.nanoTime();
            communicator.barrier();
            long start = System.nanoTime();
            communicator.allReduce(buffer, type, reduction);
            long end = System.nanoTime();
            if (i >= 0) {
                reduceOutOfPlace.add(outOfPlaceEnd - outOfPlaceStart);
                reduce.add(end - start);
            }
        }
        return new AllReduceTiming(
                reduce.micros(),
                reduceOutOfPlace.micros(),
                everyone.isPresent() ? plain.micros() : Double.NaN,
                Verification.wrong(communicator, buffer, buffer, type, reduction),
                Verification.wrong(communicator, buffer, result, type, reduction));
    }

    /** Subnormal or infinite sums would cost more than ordinary ones. */
    private static void clear(MemorySegment buffer, ElementType type) {
        if (type == ElementType.FLOAT32 || buffer.byteSize() < 1 << 20) {
            buffer.fill((byte) 0);
        }
    }

    /** This rank's slice of {@code buffers[0] += buffers[1] += ...}: what adding costs when nothing is coordinated. */
    private static void addSlice(MemorySegment[] buffers, int rank, long bytes) {
        long elements = bytes / 4;
        long from = elements * rank / buffers.length * 4;
        long to = elements * (rank + 1) / buffers.length * 4;
        for (int other = 1; other < buffers.length; other++) {
            add(buffers[0], buffers[other], from, to);
        }
    }

    private static void add(MemorySegment into, MemorySegment from, long start, long end) {
        long at = start;
        for (; at + F.vectorByteSize() <= end; at += F.vectorByteSize()) {
            FloatVector.fromMemorySegment(F, into, at, ORDER)
                    .add(FloatVector.fromMemorySegment(F, from, at, ORDER))
                    .intoMemorySegment(into, at, ORDER);
        }
        for (; at < end; at += 4) {
            into.set(
                    ValueLayout.JAVA_FLOAT,
                    at,
                    into.get(ValueLayout.JAVA_FLOAT, at) + from.get(ValueLayout.JAVA_FLOAT, at));
        }
    }
}
