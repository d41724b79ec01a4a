package dev.slipstream.emulator;

import org.jspecify.annotations.Nullable;

/** Something in a kernel, or around it, that would fail or go silently wrong on a device. */
public final class KernelFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** An index outside of an array. */
        OUT_OF_BOUNDS,
        /** A read of device or local memory that neither a transfer nor a kernel wrote: often a missing transferToDevice. */
        UNWRITTEN_READ,
        /** Two work-items wrote one element, not both atomically, with nothing that orders them. */
        CONFLICTING_WRITES,
        /** A work-item read what another one writes, with nothing that orders them. */
        READ_WRITE_RACE,
        /** A barrier that not all work-items of the group reach, or not the same one. */
        DIVERGENT_BARRIER,
        /** Local arrays that differ between the work-items of a group. */
        DIVERGENT_LOCAL_ARRAY,
        /** More local memory than the device has. */
        LOCAL_MEMORY_EXHAUSTED,
        /** consumeFromDevice or a download of an array that is not on the device. */
        MISSING_TRANSFER,
        /** The host changed an array that is transferred at the first execution only. */
        STALE_TRANSFER,
        /** A kernel wrote an array that nobody can see: no transferToHost, no persistOnDevice, no kernel that reads it. */
        LOST_RESULT,
        /** No grid for a kernel, a grid that is no multiple of its group, a group that the device cannot take. */
        INVALID_GRID,
        /** A call or argument that a kernel cannot have. */
        UNSUPPORTED,
        /** The kernel threw an exception. */
        KERNEL_EXCEPTION
    }

    private final Kind kind;
    private final String task;
    private final long workItem;
    private final long index;

    KernelFault(Kind kind, String task, long workItem, long index, String message, @Nullable Throwable cause) {
        super(task + ": " + message, cause);
        this.kind = kind;
        this.task = task;
        this.workItem = workItem;
        this.index = index;
    }

    /** A fault outside of any work-item. */
    KernelFault(Kind kind, String task, String message) {
        this(kind, task, -1, -1, message, null);
    }

    public Kind kind() {
        return kind;
    }

    /** The task as {@code graph.task}, or the graph where no task is to blame. */
    public String task() {
        return task;
    }

    /** The work-item's number in the grid (in one dimension its globalIdx), or -1. */
    public long workItem() {
        return workItem;
    }

    /** The index of the element, or -1. */
    public long index() {
        return index;
    }
}
