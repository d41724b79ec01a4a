package dev.slipstream.scheduler;

import dev.slipstream.collectives.ElementType;

/**
 * A trainable parameter, as the synchronizer sees it.
 *
 * @param name unique in its model; errors name it
 * @param type one of the floating types
 * @param elements how many numbers its gradient holds; 0 is allowed and costs nothing
 */
public record Parameter(String name, ElementType type, long elements) {
    public Parameter {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A parameter has a blank name; every parameter needs one of its own.");
        }
        if (!type.isFloating()) {
            throw new IllegalArgumentException("Parameter '" + name + "' has the type " + type
                    + ", which has no average; gradients are floating.");
        }
        if (elements < 0) {
            throw new IllegalArgumentException(
                    "Parameter '" + name + "' has " + elements + " elements; 0 is the least.");
        }
    }

    /** A float32 parameter. */
    public static Parameter float32(String name, long elements) {
        return new Parameter(name, ElementType.FLOAT32, elements);
    }

    /** Size of its gradient in bytes. */
    public long bytes() {
        return Math.multiplyExact(elements, (long) type.bytes());
    }
}
