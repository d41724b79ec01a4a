package dev.slipstream.scheduler;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.kernels.KernelEngine;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One allocation, in the communicator's memory, from which buckets are cut; large enough for any plan of the same
 * parameters, so that a plan can be replaced without allocating.
 */
final class BucketMemory {
    private static final long ALIGNMENT = 64;

    private final MemorySegment memory;
    private long used;

    /** Room for the gradients of {@code parameters} in any arrangement of buckets. */
    BucketMemory(Communicator communicator, List<Parameter> parameters) {
        // Every parameter could have a bucket of its own.
        long bytes = 0;
        for (Parameter parameter : parameters) {
            bytes = Math.addExact(bytes, Math.addExact(parameter.bytes(), KernelEngine.HEADROOM + ALIGNMENT));
        }
        memory = communicator.allocate(bytes);
    }

    /** Cuts an allocation for {@link KernelEngine#wrap}: headroom, and then a payload that is aligned. */
    MemorySegment cut(long payloadBytes) {
        MemorySegment allocation = memory.asSlice(used, KernelEngine.HEADROOM + payloadBytes);
        used += KernelEngine.HEADROOM + (payloadBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return allocation;
    }

    /** Takes back all that was cut. */
    void reset() {
        used = 0;
    }

    /** Whether a gradient lies, wholly or in part, in this memory. */
    boolean overlaps(MemorySegment gradient) {
        return gradient.isNative()
                && gradient.address() < memory.address() + memory.byteSize()
                && memory.address() < gradient.address() + gradient.byteSize();
    }
}
