package dev.slipstream.scheduler;

import dev.slipstream.collectives.ElementType;
import java.util.Arrays;
import java.util.List;

/**
 * A trainable parameter, as the synchronizer sees it.
 *
 * @param name unique in its model; errors name it
 * @param type one of the floating types
 * @param shape the extents of its gradient, as in {@code (64, 32)}; an extent of 0 is allowed and costs nothing. The
 *     ranks' shapes are compared when they start
 */
public record Parameter(String name, ElementType type, List<Long> shape) {
    public Parameter {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A parameter has a blank name; every parameter needs one of its own.");
        }
        if (!type.isFloating()) {
            throw new IllegalArgumentException("Parameter '" + name + "' has the type " + type
                    + ", which has no average; gradients are floating.");
        }
        shape = List.copyOf(shape);
        boolean empty = false;
        for (long extent : shape) {
            if (extent < 0) {
                throw new IllegalArgumentException(
                        "Parameter '" + name + "' has the shape " + show(shape) + "; 0 is the least extent.");
            }
            empty |= extent == 0;
        }
        if (!empty && exceedsLong(shape, type.bytes())) {
            throw new IllegalArgumentException("Parameter '" + name + "' has the shape " + show(shape)
                    + ", which has more bytes than a long counts.");
        }
    }

    /** A parameter of any floating type; without extents it is a scalar. */
    public static Parameter of(String name, ElementType type, long... shape) {
        return new Parameter(name, type, Arrays.stream(shape).boxed().toList());
    }

    /** A float32 parameter, of a number of elements or of a shape. */
    public static Parameter float32(String name, long... shape) {
        return of(name, ElementType.FLOAT32, shape);
    }

    /** A float64 parameter, of a number of elements or of a shape. */
    public static Parameter float64(String name, long... shape) {
        return of(name, ElementType.FLOAT64, shape);
    }

    /** How many numbers its gradient holds. */
    public long elements() {
        long elements = 1;
        for (long extent : shape) {
            if (extent == 0) {
                return 0;
            }
            elements *= extent; // the constructor has ruled out an overflow
        }
        return elements;
    }

    /** Size of its gradient in bytes. */
    public long bytes() {
        return elements() * type.bytes();
    }

    /** Name, type and shape, as errors show them: {@code 'fc.weight' (FLOAT32, 64x32)}. */
    @Override
    public String toString() {
        return "'" + name + "' (" + type + ", " + show(shape) + ")";
    }

    private static String show(List<Long> shape) {
        return shape.isEmpty()
                ? "scalar"
                : String.join("x", shape.stream().map(String::valueOf).toList());
    }

    private static boolean exceedsLong(List<Long> shape, long elementBytes) {
        long bytes = elementBytes;
        for (long extent : shape) {
            if (Math.multiplyHigh(bytes, extent) != 0 || bytes * extent < 0) {
                return true;
            }
            bytes *= extent;
        }
        return false;
    }
}
