package dev.slipstream.collectives.strategy;

import dev.slipstream.collectives.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The buffers of one size class: which strategy carries them, and what each strategy was measured to do.
 *
 * <p>Measuring takes place in <i>windows</i> of {@value #WINDOW} operations. The first windows are the warm-up: every
 * strategy is tried, none guessed; those far behind the best are tried no more; then the best is chosen. Afterwards,
 * each window has one challenger. Where it is at least {@value #FASTER} times as fast as the strategy in use, it replaces
 * it. Between windows lie {@value #COOL_DOWN} operations; more, once all challengers have lost, and the more the longer
 * the choice holds, so that measuring costs little. Challengers that were slow come less often, in proportion, so that no
 * slow one costs more than a fast one; but each comes once before any comes twice, since what was slow in the warm-up may
 * only have been cold.
 *
 * <p>A strategy's figure is the median over its operations of a window, without the first, for which memory and code are
 * cold. An operation's time is that of the rank that took least: the others also waited for it to come.
 */
final class SizeClass {
    static final int WINDOW = 20;
    static final int COOL_DOWN = 50;
    static final double FASTER = 1.2;

    private static final int LONGEST_COOL_DOWN = 16 * COOL_DOWN;
    private static final int CHALLENGE = 5;

    /** How far behind the best a strategy may be to stay, after each window of the warm-up; the last chooses. */
    private static final double[] STAYS = {10, 2, 1};

    private final long leastBytes;
    private final List<Strategy> candidates;
    private final double[] figures;
    private final int[] challenges;
    private final int[] schedule = new int[WINDOW];
    private final long[] nanos = new long[WINDOW];
    private final long[] sizes = new long[WINDOW];
    private int warmUps;
    private int current;
    private int coolDown = COOL_DOWN;

    /** In the window; negative while operations are not measured. */
    private int position;

    SizeClass(long leastBytes, List<Strategy> candidates) {
        this.leastBytes = leastBytes;
        this.candidates = candidates;
        figures = new double[candidates.size()];
        challenges = new int[candidates.size()];
        Arrays.fill(figures, Double.NaN);
        if (candidates.size() > 1) {
            scheduleAll(IntStream.range(0, candidates.size()).toArray());
        } else {
            position = Integer.MIN_VALUE;
        }
    }

    Strategy next() {
        return candidates.get(position < 0 ? current : schedule[position]);
    }

    /** Takes note of the operation that {@link #next} was for; true when figures have changed. */
    boolean completed(long bytes, long tookNanos, StrategySelector.Minimum minimum) {
        if (position < 0) {
            if (candidates.size() > 1) {
                position++;
            }
            return false;
        }
        sizes[position] = bytes;
        nanos[position] = Math.max(1, tookNanos);
        position++;
        if (position < WINDOW) {
            return false;
        }
        minimum.over(nanos);
        takeFigures();
        if (warmUps < STAYS.length) {
            endWarmUp();
        } else {
            endChallenge();
        }
        return true;
    }

    private void takeFigures() {
        for (int start = 0; start < WINDOW; ) {
            int end = start + 1;
            while (end < WINDOW && schedule[end] == schedule[start]) {
                end++;
            }
            double[] speeds = IntStream.range(Math.min(start + 1, end - 1), end)
                    .mapToDouble(i -> (double) sizes[i] / nanos[i])
                    .sorted()
                    .toArray();
            figures[schedule[start]] = speeds[speeds.length / 2];
            start = end;
        }
    }

    private void endWarmUp() {
        // Those that dropped out in an earlier window have older figures and stay out.
        int[] tried = Arrays.stream(schedule).distinct().toArray();
        current = Arrays.stream(tried)
                .boxed()
                .max(Comparator.comparingDouble(i -> figures[i]))
                .orElseThrow();
        double stays = STAYS[warmUps];
        warmUps++;
        int[] next = Arrays.stream(tried)
                .filter(i -> i == current || (stays > 1 && figures[i] * stays >= figures[current]))
                .toArray();
        if (next.length > 1) {
            scheduleAll(next);
        } else {
            warmUps = STAYS.length;
            scheduleChallenge();
        }
    }

    private void endChallenge() {
        int challenger = schedule[0];
        if (figures[challenger] >= FASTER * figures[current]) {
            current = challenger;
            coolDown = COOL_DOWN;
            Arrays.fill(challenges, 0);
        } else if (allHaveChallenged()) {
            coolDown = Math.min(2 * coolDown, LONGEST_COOL_DOWN);
        }
        scheduleChallenge();
    }

    private boolean allHaveChallenged() {
        return IntStream.range(0, candidates.size()).allMatch(i -> i == current || challenges[i] > 0);
    }

    private void scheduleAll(int[] tried) {
        Arrays.setAll(schedule, i -> tried[Math.min(i / (WINDOW / tried.length), tried.length - 1)]);
        position = 0;
    }

    private void scheduleChallenge() {
        int challenger = IntStream.range(0, candidates.size())
                .filter(i -> i != current)
                .boxed()
                .min(Comparator.comparingDouble(i -> challenges[i] / figures[i]))
                .orElseThrow();
        challenges[challenger]++;
        Arrays.setAll(schedule, i -> i < CHALLENGE ? challenger : current);
        position = -coolDown;
    }

    List<StrategyFigure> figures() {
        List<StrategyFigure> result = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            if (!Double.isNaN(figures[i])) {
                result.add(new StrategyFigure(leastBytes, candidates.get(i), figures[i], i == current));
            }
        }
        return result;
    }
}
