package dev.slipstream.emulator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The local arrays of a group. They are plain Java arrays, whose accesses cannot be watched; so between two barriers each
 * work-item works on the arrays as they were at the last barrier, and what it changes becomes visible to the others at the
 * next. A kernel that lacks a barrier therefore reads old values (at first, undefined ones: all bits are set) every time,
 * rather than only on some devices; and two work-items that change one element are seen.
 */
final class LocalMemory {
    private final Launch launch;
    private final int limit;
    private final List<LocalArray> arrays = new ArrayList<>();
    private long bytes;

    LocalMemory(Launch launch, int limit) {
        this.launch = launch;
        this.limit = limit;
    }

    <T> T allocate(WorkItem item, int number, T fresh) {
        if (number < arrays.size()) {
            return arrays.get(number).require(fresh, number);
        }
        LocalArray array = new LocalArray(fresh);
        bytes += array.live.byteSize();
        if (bytes > limit) {
            throw launch.fault(
                    KernelFault.Kind.LOCAL_MEMORY_EXHAUSTED,
                    -1,
                    "allocates " + bytes + " bytes of local memory; a group has " + limit + ".",
                    null);
        }
        arrays.add(array);
        return fresh;
    }

    /** The work-item stops at a barrier or at its end: its changes are put aside. */
    void leave(WorkItem item) {
        for (int number = 0; number < arrays.size(); number++) {
            arrays.get(number).leave(item, number);
        }
    }

    /** All work-items have met: their changes become visible. */
    void publish() {
        for (LocalArray array : arrays) {
            array.publish();
        }
    }

    /** A new group: its arrays are new. */
    void clear() {
        arrays.clear();
        bytes = 0;
    }

    private final class LocalArray {
        private static final int NOBODY = -1;

        private final Object array;
        private final int elementBytes;
        /** What the kernel reads and writes. */
        private final MemorySegment live;
        /** As it was at the last barrier. */
        private final MemorySegment before;
        /** As it will be at the next one. */
        private final MemorySegment after;

        private final int[] writers;
        private boolean changed;

        LocalArray(Object fresh) {
            array = fresh;
            live = segment(fresh).fill((byte) -1);
            before = MemorySegment.ofArray(live.toArray(ValueLayout.JAVA_BYTE));
            after = MemorySegment.ofArray(live.toArray(ValueLayout.JAVA_BYTE));
            int length = Array.getLength(fresh);
            elementBytes = length == 0 ? 1 : (int) (live.byteSize() / length);
            writers = new int[length];
            Arrays.fill(writers, NOBODY);
        }

        @SuppressWarnings("unchecked") // The class is the same.
        <T> T require(T fresh, int number) {
            if (fresh.getClass() != array.getClass() || Array.getLength(fresh) != Array.getLength(array)) {
                throw launch.fault(
                        KernelFault.Kind.DIVERGENT_LOCAL_ARRAY,
                        -1,
                        "allocates as its local array " + number + " " + name(fresh)
                                + ", where the group's first work-item allocated " + name(array) + ".",
                        null);
            }
            return (T) array;
        }

        void leave(WorkItem item, int number) {
            long size = live.byteSize();
            long from = 0;
            for (long at; from < size && (at = difference(from, size)) >= 0; ) {
                int element = (int) ((from + at) / elementBytes);
                long offset = (long) element * elementBytes;
                if (writers[element] != NOBODY && writers[element] != item.number()) {
                    throw launch.fault(
                            KernelFault.Kind.CONFLICTING_WRITES,
                            element,
                            "changed element " + element + " of local array " + number + " (" + name(array)
                                    + "), which work-item " + writers[element]
                                    + " of the group has changed too, with no barrier between.",
                            null);
                }
                writers[element] = item.number();
                changed = true;
                MemorySegment.copy(live, offset, after, offset, elementBytes);
                MemorySegment.copy(before, offset, live, offset, elementBytes);
                from = offset + elementBytes;
            }
        }

        private long difference(long from, long size) {
            return MemorySegment.mismatch(live, from, size, before, from, size);
        }

        void publish() {
            if (changed) {
                live.copyFrom(after);
                before.copyFrom(after);
                Arrays.fill(writers, NOBODY);
                changed = false;
            }
        }

        private static String name(Object array) {
            return array.getClass().getComponentType() + "[" + Array.getLength(array) + "]";
        }
    }

    private static MemorySegment segment(Object array) {
        return switch (array) {
            case int[] ints -> MemorySegment.ofArray(ints);
            case float[] floats -> MemorySegment.ofArray(floats);
            case long[] longs -> MemorySegment.ofArray(longs);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            default -> throw new IllegalArgumentException("No local memory of " + array.getClass());
        };
    }
}
