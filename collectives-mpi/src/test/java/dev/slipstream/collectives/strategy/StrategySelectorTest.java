package dev.slipstream.collectives.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.collectives.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class StrategySelectorTest {
    private static final List<Strategy> ALL =
            List.of(Strategy.SHARED, Strategy.NATIVE, Strategy.RING, Strategy.TREE, Strategy.PIPELINE);
    private static final int WARM_UP = 3 * SizeClass.WINDOW;

    /** One rank with made-up times. */
    private static final class Rank {
        final StrategySelector selector = new StrategySelector(ALL, List.of(Strategy.NATIVE), values -> {});
        final Map<Strategy, Long> nanos = new EnumMap<>(Strategy.class);

        Rank(long shared, long natives, long ring, long tree, long pipeline) {
            nanos.putAll(Map.of(
                    Strategy.SHARED, shared,
                    Strategy.NATIVE, natives,
                    Strategy.RING, ring,
                    Strategy.TREE, tree,
                    Strategy.PIPELINE, pipeline));
        }

        List<Strategy> operations(int count, long bytes) {
            List<Strategy> chosen = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Strategy strategy = selector.choose(bytes, true);
                selector.completed(bytes, true, nanos.get(strategy));
                chosen.add(strategy);
            }
            return chosen;
        }
    }

    @Test
    void everyStrategyIsTriedAndTheFastestChosen() {
        for (Strategy best : ALL) {
            Rank rank = new Rank(100, 110, 120, 130, 140);
            rank.nanos.put(best, 90L);
            List<Strategy> warmUp = rank.operations(WARM_UP, 4096);
            assertEquals(
                    ALL, warmUp.subList(0, SizeClass.WINDOW).stream().distinct().toList());
            List<Strategy> after = rank.operations(SizeClass.COOL_DOWN, 4096);
            assertEquals(List.of(best), after.stream().distinct().toList());
        }
    }

    @Test
    void strategiesFarBehindAreNotTriedAgainInTheWarmUp() {
        Rank rank = new Rank(100, 1_100, 120, 1_101, 1_102);
        rank.operations(SizeClass.WINDOW, 4096);
        List<Strategy> second = rank.operations(SizeClass.WINDOW, 4096);
        assertEquals(
                List.of(Strategy.SHARED, Strategy.RING),
                second.stream().distinct().toList());
    }

    @Test
    void slowFirstOperationsDoNotCount() {
        Rank rank = new Rank(100, 200, 300, 400, 500);
        List<Strategy> seen = new ArrayList<>();
        for (int i = 0; i < WARM_UP; i++) {
            Strategy strategy = rank.selector.choose(64, true);
            boolean first = !seen.contains(strategy);
            seen.add(strategy);
            rank.selector.completed(64, true, first ? 1_000_000 : rank.nanos.get(strategy));
        }
        assertEquals(Strategy.SHARED, rank.selector.choose(64, true));
    }

    @Test
    void aStrategyThatIsLittleFasterDoesNotReplaceTheOneInUse() {
        Rank rank = new Rank(100, 200, 200, 200, 200);
        rank.operations(WARM_UP, 4096);
        rank.nanos.put(Strategy.RING, 85L);
        rank.operations(20_000, 4096);
        assertEquals(Strategy.SHARED, chosen(rank));
        rank.nanos.put(Strategy.RING, 83L);
        rank.operations(20_000, 4096);
        assertEquals(Strategy.RING, chosen(rank));
    }

    @Test
    void aSwitchComesNoEarlierThanTheCoolDown() {
        Rank rank = new Rank(100, 1_100, 1_100, 1_100, 1_100);
        rank.operations(SizeClass.WINDOW, 4096);
        rank.nanos.replaceAll((strategy, nanos) -> strategy == Strategy.SHARED ? 100L : 1L);
        List<Strategy> quiet = rank.operations(SizeClass.COOL_DOWN, 4096);
        assertEquals(List.of(Strategy.SHARED), quiet.stream().distinct().toList());
        List<Strategy> window = rank.operations(SizeClass.WINDOW, 4096);
        assertEquals(2, window.stream().distinct().count());
        assertEquals(window.getFirst(), chosen(rank));
    }

    /** What a strategy's code takes before it is compiled says nothing. */
    @Test
    void everyStrategyIsChallengedOnceThoughItWasSlow() {
        Rank rank = new Rank(100_000, 100, 100_000, 100_000, 100_000);
        rank.operations(SizeClass.WINDOW, 4096);
        rank.nanos.put(Strategy.SHARED, 50L);
        rank.operations(4 * (SizeClass.COOL_DOWN + SizeClass.WINDOW), 4096);
        assertEquals(Strategy.SHARED, chosen(rank));
    }

    @Test
    void challengesCostLittle() {
        Rank rank = new Rank(100, 110, 1_000, 10_000, 100_000);
        rank.operations(WARM_UP, 4096);
        long total = rank.operations(100_000, 4096).stream()
                .mapToLong(rank.nanos::get)
                .sum();
        assertTrue(total < 1.08 * 100 * 100_000, "mean " + total / 100_000.0);
    }

    @Test
    void everySizeClassAndKindOfTypeIsItsOwn() {
        Rank rank = new Rank(100, 90, 120, 130, 140);
        rank.operations(WARM_UP, 4096);
        assertEquals(Strategy.NATIVE, rank.selector.choose(8191, true));
        rank.nanos.put(Strategy.TREE, 10L);
        rank.operations(WARM_UP, 8192);
        assertEquals(Strategy.TREE, rank.selector.choose(16_383, true));
        assertEquals(Strategy.NATIVE, rank.selector.choose(4096, true));
        assertEquals(Strategy.NATIVE, rank.selector.choose(4096, false));
        assertEquals(Strategy.SHARED, rank.selector.choose(0, true));
        assertEquals(Strategy.SHARED, rank.selector.choose(Long.MAX_VALUE, true));
    }

    @Test
    void sizesOfOneClassAreComparedByBandwidth() {
        // Two sizes in turn; per byte, ring is the fastest.
        Rank rank = new Rank(0, 0, 0, 0, 0);
        for (int i = 0; i < WARM_UP; i++) {
            long bytes = i % 2 == 0 ? 4096 : 8000;
            Strategy strategy = rank.selector.choose(bytes, true);
            rank.selector.completed(bytes, true, bytes * (strategy == Strategy.RING ? 9 : 10));
        }
        assertEquals(Strategy.RING, rank.selector.choose(4096, true));
    }

    @Test
    void figuresSayWhatWasMeasured() {
        Rank rank = new Rank(1000, 2000, 4000, 4000, 4000);
        assertEquals(List.of(), rank.selector.figures());
        rank.operations(WARM_UP, 5000);
        StrategyFigure first = rank.selector.figures().getFirst();
        assertEquals(new StrategyFigure(4096, Strategy.SHARED, 5.0, true), first);
        assertEquals(5, rank.selector.figures().size());
        assertEquals(
                1,
                rank.selector.figures().stream().filter(StrategyFigure::chosen).count());
    }

    /** Ranks that measure differently, each with noise of its own, choose the same at every operation. */
    @Test
    void allRanksChooseTheSame() throws Exception {
        int ranks = 3;
        int operations = 3_000;
        long[][] values = new long[ranks][];
        CyclicBarrier barrier = new CyclicBarrier(ranks);
        List<Future<List<Strategy>>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            for (int rank = 0; rank < ranks; rank++) {
                int self = rank;
                results.add(threads.submit(() -> {
                    Random random = new Random(self);
                    StrategySelector selector = new StrategySelector(ALL, ALL, own -> {
                        values[self] = own.clone();
                        meet(barrier);
                        Arrays.setAll(
                                own,
                                i -> Arrays.stream(values)
                                        .mapToLong(each -> each[i])
                                        .min()
                                        .orElseThrow());
                        meet(barrier);
                    });
                    List<Strategy> chosen = new ArrayList<>();
                    for (int i = 0; i < operations; i++) {
                        long bytes = 100L << (i % 3);
                        Strategy strategy = selector.choose(bytes, true);
                        chosen.add(strategy);
                        selector.completed(bytes, true, 100 + random.nextInt(1000));
                    }
                    return chosen;
                }));
            }
            List<Strategy> first = results.getFirst().get();
            assertTrue(first.stream().distinct().count() > 1);
            for (Future<List<Strategy>> result : results) {
                assertEquals(first, result.get());
            }
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Strategy chosen(Rank rank) {
        return rank.selector.figures().stream()
                .filter(StrategyFigure::chosen)
                .findFirst()
                .orElseThrow()
                .strategy();
    }
}
