package dev.slipstream.scheduler;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Segments over the arrays that a loop hands over. Loops hand over the same arrays in every step, so the last one of each
 * parameter is kept; a step then allocates none. Different parameters may be asked for by different threads.
 */
final class GradientHandles {
    private final Object[] arrays;
    private final MemorySegment[] segments;

    GradientHandles(int parameters) {
        arrays = new Object[parameters];
        Arrays.fill(arrays, this); // equal to no array
        segments = new MemorySegment[parameters];
        Arrays.fill(segments, MemorySegment.NULL);
    }

    @SuppressWarnings("ReferenceEquality") // the same array, not an equal one
    MemorySegment of(int parameter, float[] array) {
        return arrays[parameter] == array ? segments[parameter] : keep(parameter, array, MemorySegment.ofArray(array));
    }

    @SuppressWarnings("ReferenceEquality") // the same array, not an equal one
    MemorySegment of(int parameter, double[] array) {
        return arrays[parameter] == array ? segments[parameter] : keep(parameter, array, MemorySegment.ofArray(array));
    }

    private MemorySegment keep(int parameter, Object array, MemorySegment segment) {
        arrays[parameter] = array;
        segments[parameter] = segment;
        return segment;
    }
}
