package dev.slipstream.collectives.strategy;

import dev.slipstream.collectives.Strategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a strategy for each all-reduce: the strategy {@code auto}. Buffers are put into size classes, powers of two, and
 * each class has a {@link SizeClass} of its own that measures and chooses.
 *
 * <p>No rank decides alone. The ranks make the same calls in the same order, so each counts the same operations; what is
 * decided after an operation comes from figures that were all-reduced then; so all ranks switch at the same operation.
 *
 * <p>Used by one thread at a time, but for {@link #figures}.
 */
public final class StrategySelector {
    /** How many figures are all-reduced at a time. */
    public static final int FIGURES = SizeClass.WINDOW;

    /** Replaces each element by its minimum over all ranks. A collective. */
    @FunctionalInterface
    public interface Minimum {
        void over(long[] values);
    }

    private final List<Strategy> summing;
    private final List<Strategy> gathering;
    private final Minimum minimum;
    private final @Nullable SizeClass[] classes = new @Nullable SizeClass[2 * Long.SIZE];
    private volatile List<StrategyFigure> figures = List.of();

    /**
     * All ranks give the same lists.
     *
     * @param summing strategies for types whose partial sums may travel ({@link AllReduce#partialsMayTravel})
     * @param gathering strategies for the others
     */
    public StrategySelector(List<Strategy> summing, List<Strategy> gathering, Minimum minimum) {
        this.summing = List.copyOf(summing);
        this.gathering = List.copyOf(gathering);
        this.minimum = minimum;
    }

    /** The strategy for the next all-reduce of so many bytes; asking changes nothing. */
    public Strategy choose(long bytes, boolean partialsMayTravel) {
        return bytes == 0
                ? summing.getFirst()
                : sizeClass(bytes, partialsMayTravel).next();
    }

    /** Says how long the all-reduce took on this rank, after it went well. May all-reduce figures. */
    public void completed(long bytes, boolean partialsMayTravel, long nanos) {
        if (bytes > 0 && sizeClass(bytes, partialsMayTravel).completed(bytes, nanos, minimum)) {
            List<StrategyFigure> all = new ArrayList<>();
            for (SizeClass each : classes) {
                if (each != null) {
                    all.addAll(each.figures());
                }
            }
            figures = List.copyOf(all);
        }
    }

    /** What has been measured so far. For any thread. */
    public List<StrategyFigure> figures() {
        return figures;
    }

    private SizeClass sizeClass(long bytes, boolean partialsMayTravel) {
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes);
        int index = partialsMayTravel ? exponent : Long.SIZE + exponent;
        SizeClass found = classes[index];
        if (found == null) {
            found = new SizeClass(1L << exponent, partialsMayTravel ? summing : gathering);
            classes[index] = found;
        }
        return found;
    }
}
