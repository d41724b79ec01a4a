package dev.slipstream.collectives.transport;

import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Checks a call's arguments before anything of it reaches another rank; each error names the argument and its value. */
public final class Arguments {
    /** Any thread that is not the caller's. */
    private static final Thread SOMEONE = Thread.ofVirtual().unstarted(() -> {});

    private Arguments() {}

    public static void allReduce(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        buffer("send", send, type);
        writable("receive", receive, type);
        reduction(reduction, type);
        if (send.byteSize() != receive.byteSize()) {
            throw new IllegalArgumentException("The send buffer has " + send.byteSize() + " bytes, the receive buffer "
                    + receive.byteSize() + "; an all-reduce needs equal sizes.");
        }
        apartOrSame(send, receive);
    }

    public static void allGather(
            MemorySegment send, MemorySegment receive, ElementType type, long[] counts, int rank, int size) {
        buffer("send", send, type);
        writable("receive", receive, type);
        if (counts.length != size) {
            throw new IllegalArgumentException(
                    counts.length + " counts were given for " + size + " ranks; an all-gather needs one for each.");
        }
        for (int i = 0; i < size; i++) {
            if (counts[i] < 0) {
                throw new IllegalArgumentException("The count of rank " + i + " is " + counts[i] + "; 0 is the least.");
            }
        }
        if (send.byteSize() != counts[rank] * type.bytes()) {
            throw new IllegalArgumentException("The send buffer has " + send.byteSize() + " bytes, but rank " + rank
                    + " announces " + counts[rank] + " " + type + ".");
        }
        long sum = Arrays.stream(counts).reduce(0, Math::addExact);
        if (receive.byteSize() != sum * type.bytes()) {
            throw new IllegalArgumentException("The receive buffer has " + receive.byteSize()
                    + " bytes, but the ranks contribute " + sum + " " + type + " together.");
        }
        apart(send, receive);
    }

    public static void reduceScatter(
            MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction, int size) {
        buffer("send", send, type);
        writable("receive", receive, type);
        reduction(reduction, type);
        if (send.byteSize() != Math.multiplyExact(receive.byteSize(), (long) size)) {
            throw new IllegalArgumentException("The send buffer has " + send.byteSize()
                    + " bytes; a reduce-scatter over " + size + " ranks needs " + size + " times the receive buffer's "
                    + receive.byteSize() + ".");
        }
        apart(send, receive);
    }

    public static void buffer(String name, MemorySegment buffer, ElementType type) {
        if (!buffer.isNative()) {
            throw new IllegalArgumentException("The " + name + " buffer lies on the Java heap; collectives need native"
                    + " memory, from Communicator.allocate or an Arena.");
        }
        if (!buffer.isAccessibleBy(SOMEONE)) {
            throw new IllegalArgumentException(
                    "The " + name + " buffer is confined to one thread, but collectives run on"
                            + " several; take it from Communicator.allocate, Arena.ofShared or Arena.ofAuto.");
        }
        if (buffer.byteSize() % type.bytes() != 0) {
            throw new IllegalArgumentException("The " + name + " buffer has " + buffer.byteSize()
                    + " bytes, no multiple of the " + type.bytes() + " of a " + type + ".");
        }
    }

    public static void writable(String name, MemorySegment buffer, ElementType type) {
        buffer(name, buffer, type);
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("The " + name + " buffer is read-only, but the result goes there.");
        }
    }

    public static void rank(String name, int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "The " + name + " " + rank + " is no rank of this group: ranks are 0 to " + (size - 1) + ".");
        }
    }

    private static void reduction(Reduction reduction, ElementType type) {
        if (!reduction.supports(type)) {
            throw new IllegalArgumentException(reduction + " is not defined for " + type + "; "
                    + (type.isFloating()
                            ? "floating types have SUM, AVERAGE, MIN and MAX."
                            : "integers have no AVERAGE."));
        }
    }

    private static void apartOrSame(MemorySegment send, MemorySegment receive) {
        if (send.address() != receive.address()) {
            apart(send, receive);
        }
    }

    private static void apart(MemorySegment send, MemorySegment receive) {
        if (send.asOverlappingSlice(receive)
                .filter(overlap -> overlap.byteSize() > 0)
                .isPresent()) {
            throw new IllegalArgumentException("The send and receive buffers overlap in part: send begins at "
                    + Long.toHexString(send.address()) + ", receive at " + Long.toHexString(receive.address())
                    + "; use two buffers, or where the operation allows it, the same one.");
        }
    }
}
