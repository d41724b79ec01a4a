package dev.slipstream.scheduler;

import dev.slipstream.collectives.ElementType;
import java.util.List;

/**
 * A bucket of the plan: gradients that travel in one message.
 *
 * @param position its place in the launch order, from 0
 * @param type what the gradients hold
 * @param wireType what its buffer holds: the gradients' type, or a 16-bit one
 * @param parameters in the order in which they lie in the bucket, without gaps
 */
public record PlannedBucket(int position, ElementType type, ElementType wireType, List<Parameter> parameters) {
    public PlannedBucket {
        parameters = List.copyOf(parameters);
    }

    /** Elements in the bucket. */
    public long elements() {
        long elements = 0;
        for (Parameter parameter : parameters) {
            elements = Math.addExact(elements, parameter.elements());
        }
        return elements;
    }

    /** Size of its buffer in bytes. */
    public long bytes() {
        return Math.multiplyExact(elements(), (long) wireType.bytes());
    }
}
