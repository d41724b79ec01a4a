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
