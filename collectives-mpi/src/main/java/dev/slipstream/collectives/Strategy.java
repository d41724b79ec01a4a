package dev.slipstream.collectives;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How an all-reduce moves the bytes. Every strategy gives every rank the same bits. */
public enum Strategy {
    /** Measures and chooses; all ranks choose the same. */
    AUTO,
    /** The transport's own all-reduce: {@code MPI_Allreduce}, {@code ncclAllReduce}. */
    NATIVE,
    /** Each rank reduces its part straight out of the others' memory; ranks that share memory only. */
    SHARED,
    /** Reduce-scatter and all-gather around a ring, in segments. */
    RING,
    /** Fewest messages: for short buffers. */
    TREE,
    /** Shared memory inside a host, another strategy between the hosts. */
    HIERARCHICAL,
    /** Chunks of a long buffer in flight at once. */
    PIPELINE;

    /** The name as users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Finds a strategy by the name that users write; an unknown one is an error that lists the known. */
    public static Strategy parse(String name) {
        return Arrays.stream(values())
                .filter(strategy -> strategy.toString().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown strategy '" + name + "'; known are "
                        + Arrays.stream(values()).map(Strategy::toString).collect(Collectors.joining(", ")) + "."));
    }
}
