package dev.slipstream.collectives.transport;

import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What one rank calls: published before a buffer is touched, and compared by all ranks.
 *
 * @param kind which collective
 * @param type of the elements
 * @param reduction how they are combined; {@link Reduction#SUM} where nothing is
 * @param elements the count that must agree: of the larger buffer, or 0 where there is none
 * @param root the root rank, or 0 where there is none
 * @param counts the ranks' counts of an all-gather of unequal lengths, else empty
 * @param send this rank's contribution
 * @param receive where this rank's result goes
 */
public record Call(
        Kind kind,
        ElementType type,
        Reduction reduction,
        long elements,
        int root,
        List<Long> counts,
        MemorySegment send,
        MemorySegment receive) {
    public enum Kind {
        ALL_REDUCE("all-reduce"),
        BROADCAST("broadcast"),
        ALL_GATHER("all-gather"),
        REDUCE_SCATTER("reduce-scatter"),
        BARRIER("barrier"),
        SPLIT("split");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    public static Call of(
            Kind kind,
            MemorySegment send,
            MemorySegment receive,
            ElementType type,
            Reduction reduction,
            long elements,
            int root) {
        return new Call(kind, type, reduction, elements, root, List.of(), send, receive);
    }

    /** Whether two ranks' calls belong together. */
    public boolean matches(Call other) {
        return kind == other.kind
                && type == other.type
                && reduction == other.reduction
                && elements == other.elements
                && root == other.root
                && counts.equals(other.counts);
    }

    /**
     * A hash of all that must agree: different calls have, but for a chance of 2^-64, different fingerprints.
     *
     * @param operation the operation's number, which must agree too
     */
    @SuppressWarnings("EnumOrdinal") // never leaves the run of one program
    public long fingerprint(long operation) {
        long hash = mix(0, operation);
        hash = mix(hash, kind.ordinal());
        hash = mix(hash, type.ordinal());
        hash = mix(hash, reduction.ordinal());
        hash = mix(hash, elements);
        hash = mix(hash, root);
        for (int i = 0; i < counts.size(); i++) {
            hash = mix(hash, counts.get(i));
        }
        return hash;
    }

    /** The finaliser of SplitMix64, over a running sum. */
    private static long mix(long hash, long value) {
        long z = hash * 0x9E37_79B9_7F4A_7C15L + value + 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }

    /** For messages: {@code all-reduce SUM of 1000 FLOAT32}. */
    @Override
    public String toString() {
        return switch (kind) {
            case ALL_REDUCE, REDUCE_SCATTER -> kind + " " + reduction + " of " + elements + " " + type;
            case BROADCAST -> kind + " from rank " + root + " of " + elements + " " + type;
            case ALL_GATHER -> kind + " of " + (counts.isEmpty() ? elements : counts) + " " + type;
            case BARRIER, SPLIT -> kind.toString();
        };
    }
}
