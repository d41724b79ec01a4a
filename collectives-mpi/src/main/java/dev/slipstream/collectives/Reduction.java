package dev.slipstream.collectives;

/**
 * How a collective combines the ranks' elements. Sums have the same bits on every rank. They have the same bits in every
 * run as well where they are taken in rank order: with two ranks, on the local transport, and by the strategies
 * {@code shared} and {@code pipeline}; the others add in orders of their own, and {@code auto} chooses by measuring. {@link #MIN} and {@link #MAX} follow {@link Math#min(float, float)}: a NaN on any rank gives
 * NaN, and -0.0 is below 0.0.
 */
public enum Reduction {
    /** Integer sums that leave the type's range are an error, on every rank. */
    SUM,
    /** The sum, times 1/n in float32 (float64 for float64); floating types only. */
    AVERAGE,
    MIN,
    MAX,
    /** Bitwise and; integer types only. */
    BAND,
    /** Bitwise or; integer types only. */
    BOR;

    /** Whether this reduction is defined for elements of {@code type}. */
    public boolean supports(ElementType type) {
        return switch (this) {
            case SUM, MIN, MAX -> true;
            case AVERAGE -> type.isFloating();
            case BAND, BOR -> !type.isFloating();
        };
    }
}
