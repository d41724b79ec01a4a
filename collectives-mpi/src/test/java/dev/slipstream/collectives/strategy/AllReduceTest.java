package dev.slipstream.collectives.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The algorithms over wires between threads: any number of ranks, any length. */
final class AllReduceTest {
    private static final long[] COUNTS = {0, 1, 2, 7, 63, 65, 1000, 8191, 8193, 300_001};

    @Test
    void ring() throws Exception {
        check(AllReduce::ring, false);
    }

    @Test
    void tree() throws Exception {
        check(AllReduce::tree, false);
    }

    @Test
    void pipelineInRankOrder() throws Exception {
        check(wire -> AllReduce.pipeline(wire, 1), true);
        check(wire -> AllReduce.pipeline(wire, 4), true);
    }

    @Test
    void shardsInRankOrder() throws Exception {
        for (int ranks : new int[] {1, 2, 3, 5, 7}) {
            ThreadWires.run(ranks, (wire, arena) -> {
                ShardExchange exchange = new ShardExchange(wire);
                for (long count : COUNTS) {
                    check(wire, arena, exchange::allReduce, Reduction.AVERAGE, count, true);
                }
            });
        }
    }

    private interface Algorithm {
        void run(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction);
    }

    private static void check(Function<Wire, AllReduce> strategy, boolean inRankOrder) throws Exception {
        for (int ranks : new int[] {1, 2, 3, 4, 5, 7}) {
            ThreadWires.run(ranks, (wire, arena) -> {
                AllReduce algorithm = strategy.apply(wire);
                for (long count : COUNTS) {
                    check(wire, arena, algorithm::run, Reduction.AVERAGE, count, inRankOrder);
                    if (count < 10_000) {
                        check(wire, arena, algorithm::run, Reduction.SUM, count, inRankOrder);
                    }
                }
            });
        }
    }

    private static void check(
            Wire wire, Arena arena, Algorithm algorithm, Reduction reduction, long count, boolean inRankOrder) {
        int ranks = wire.size();
        float[][] all = new float[ranks][(int) count];
        for (int rank = 0; rank < ranks; rank++) {
            Random random = new Random(rank * 31L + count);
            for (int i = 0; i < count; i++) {
                all[rank][i] = (float) random.nextGaussian();
            }
        }
        boolean inPlace = (count + (reduction == Reduction.SUM ? 0 : 1)) % 2 == 0;
        MemorySegment send = arena.allocate(count * 4, 8);
        MemorySegment.copy(all[wire.rank()], 0, send, ValueLayout.JAVA_FLOAT, 0, (int) count);
        MemorySegment receive = inPlace ? send : arena.allocate(count * 4, 8);
        algorithm.run(send, receive, ElementType.FLOAT32, reduction);
        float factor = 1f / ranks;
        for (int i = 0; i < count; i++) {
            float sum = all[0][i];
            double exact = all[0][i];
            double magnitude = Math.abs(all[0][i]);
            for (int rank = 1; rank < ranks; rank++) {
                sum += all[rank][i];
                exact += all[rank][i];
                magnitude += Math.abs(all[rank][i]);
            }
            float actual = receive.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            if (inRankOrder) {
                float expected = reduction == Reduction.SUM ? sum : sum * factor;
                if (actual != expected) {
                    assertEquals(expected, actual);
                }
            } else {
                double expected = reduction == Reduction.SUM ? exact : exact / ranks;
                if (Math.abs(actual - expected) > magnitude * ranks * 0x1p-23) {
                    assertEquals(expected, actual);
                }
            }
        }
        if (!inPlace) {
            for (int i = 0; i < count; i++) {
                assertEquals(all[wire.rank()][i], send.getAtIndex(ValueLayout.JAVA_FLOAT, i));
            }
        }
        sameBitsAround(wire, arena, receive);
    }

    /** Compares with the next rank; all around the ring, so all have the same. */
    private static void sameBitsAround(Wire wire, Arena arena, MemorySegment result) {
        if (wire.size() == 1 || result.byteSize() == 0) {
            return;
        }
        MemorySegment theirs = arena.allocate(result.byteSize(), 8);
        var receiving = wire.receive(theirs, (wire.rank() + wire.size() - 1) % wire.size());
        var sending = wire.send(result, (wire.rank() + 1) % wire.size());
        wire.await(receiving);
        wire.await(sending);
        assertEquals(-1, result.mismatch(theirs));
    }
}
