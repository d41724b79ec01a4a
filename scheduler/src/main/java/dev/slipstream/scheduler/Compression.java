package dev.slipstream.scheduler;

/**
 * How float32 gradients are made smaller for the wire. Gradients of other types travel as they are.
 *
 * <p>Written as {@code none}, {@code fp16}, {@code bf16} or {@code topk:RATIO} in commands, see {@link #parse}.
 */
public sealed interface Compression {
    /** Nothing is lost: gradients travel in their own type. */
    record None() implements Compression {
        @Override
        public String toString() {
            return "none";
        }
    }

    /**
     * IEEE binary16 on the wire. Sums are taken in float32, scaled and rounded once, so the average neither underflows nor
     * overflows where its terms do not; a gradient beyond 65504 becomes infinite.
     */
    record Fp16() implements Compression {
        @Override
        public String toString() {
            return "fp16";
        }
    }

    /** bfloat16 on the wire: the range of float32 with 8 bits of precision. */
    record Bf16() implements Compression {
        @Override
        public String toString() {
            return "bf16";
        }
    }

    /**
     * Each rank sends, of each bucket, the elements of largest magnitude; what it did not send stays in a residual that is
     * added to its next gradient (error feedback). Every rank then sums what all have sent, in rank order.
     *
     * @param ratio the share of a bucket's elements that a rank sends, above 0 and at most 1; at least one element goes
     */
    record TopK(double ratio) implements Compression {
        public TopK {
            if (!(ratio > 0 && ratio <= 1)) {
                throw new IllegalArgumentException(
                        "The top-k ratio must be above 0 and at most 1, but is " + ratio + ".");
            }
        }

        @Override
        public String toString() {
            return "topk:" + ratio;
        }
    }

    /** Gradients travel in their own type. */
    static Compression none() {
        return new None();
    }

    /**
     * Reads what users write.
     *
     * @throws IllegalArgumentException with the choices, when {@code text} is none of them
     */
    static Compression parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        return switch (kind) {
            case "none" -> withoutRatio(text, colon, new None());
            case "fp16" -> withoutRatio(text, colon, new Fp16());
            case "bf16" -> withoutRatio(text, colon, new Bf16());
            case "topk" -> new TopK(ratio(text, colon));
            case "dgc" ->
                throw new IllegalArgumentException(
                        "The compression 'dgc' is not supported yet; the choices are none, fp16, bf16 and topk:RATIO.");
            default ->
                throw new IllegalArgumentException(
                        "There is no compression '" + text + "'; the choices are none, fp16, bf16 and topk:RATIO.");
        };
    }

    private static Compression withoutRatio(String text, int colon, Compression compression) {
        if (colon >= 0) {
            throw new IllegalArgumentException("The compression '" + compression + "' takes no ratio, but was given '"
                    + text.substring(colon + 1) + "'.");
        }
        return compression;
    }

    private static double ratio(String text, int colon) {
        if (colon < 0) {
            throw new IllegalArgumentException("The compression 'topk' needs a ratio, as in topk:0.01.");
        }
        try {
            return Double.parseDouble(text.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "The ratio in the compression '" + text + "' is no number; write it as in topk:0.01.", e);
        }
    }
}
