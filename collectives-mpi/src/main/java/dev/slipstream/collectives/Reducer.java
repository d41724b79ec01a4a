package dev.slipstream.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Reduces a slice of several buffers into several others, in the order in which the buffers are given, so that the result
 * has the same bits wherever and by whomever it is computed. What every transport over shared memory does its work with.
 *
 * <p>The slice is worked off in blocks that stay in the first-level cache: all sources of a block are combined, then the
 * block is written to all targets. Memory is thus read once per source and written once per target.
 *
 * <p>Not safe for use by several threads: it owns scratch memory.
 */
public final class Reducer {
    /** Elements of a block: 8 KiB of float32; the scratch blocks then fit the first-level cache beside it. */
    private static final long BLOCK = 2048;

    private final Loops loops;
    private final MemorySegment sum;
    private final MemorySegment next;

    public Reducer() {
        this(Loops.best());
    }

    Reducer(Loops loops) {
        this.loops = loops;
        Arena scratch = Arena.ofAuto();
        sum = scratch.allocate(BLOCK * 8, 64);
        next = scratch.allocate(BLOCK * 8, 64);
    }

    /**
     * Reduces {@code sources} into all {@code targets}.
     *
     * @param sources each rank's buffer, in rank order; read from {@code sourceOffset}
     * @param targets written from {@code targetOffset}; a target may be a source at the same offset, and must otherwise
     *     not overlap one
     * @param sourceOffset in bytes
     * @param targetOffset in bytes
     * @param bytes how much to reduce, a multiple of the element size
     * @throws ArithmeticException when an integer sum leaves the type's range; targets are then partly written
     */
    public void reduce(
            MemorySegment[] sources,
            long sourceOffset,
            MemorySegment[] targets,
            long targetOffset,
            long bytes,
            ElementType type,
            Reduction reduction) {
        long block = BLOCK * type.bytes();
        for (long done = 0; done < bytes; done += block) {
            long length = Math.min(block, bytes - done);
            reduceBlock(sources, sourceOffset + done, targets, targetOffset + done, length, type, reduction);
        }
    }

    /**
     * Multiplies floating elements by 1/ranks, the factor of {@link Reduction#AVERAGE}: for sums that came about in
     * another way than by {@link #reduce}.
     */
    public void average(MemorySegment sums, long offset, long bytes, ElementType type, int ranks) {
        long count = bytes / type.bytes();
        switch (type) {
            case FLOAT32 -> loops.scaleFloat32(sums, offset, count, 1f / ranks);
            case FLOAT64 -> Loops.scaleFloat64(sums, offset, count, 1.0 / ranks);
            default -> throw new IllegalArgumentException("sums of " + type + " are averaged before they are rounded");
        }
    }

    private void reduceBlock(
            MemorySegment[] sources,
            long from,
            MemorySegment[] targets,
            long to,
            long bytes,
            ElementType type,
            Reduction reduction) {
        MemorySegment first = targets[0];
        switch (type) {
            case FLOAT32, FLOAT64, INT64 -> combineInto(first, to, sources, from, bytes, type, reduction);
            case FLOAT16, BFLOAT16, INT32, UINT8 ->
                combineWidened(first, to, sources, from, bytes / type.bytes(), type, reduction);
        }
        for (int i = 1; i < targets.length; i++) {
            MemorySegment.copy(first, to, targets[i], to, bytes);
        }
    }

    /**
     * Combines one block into the first target. That target may be a source: it is written only by the last
     * combination, when every source of the block has been read.
     */
    private void combineInto(
            MemorySegment target,
            long to,
            MemorySegment[] sources,
            long from,
            long bytes,
            ElementType type,
            Reduction reduction) {
        long count = bytes / type.bytes();
        if (sources.length == 1) {
            copyUnlessSame(sources[0], from, target, to, bytes);
        }
        MemorySegment sum = sources[0];
        long at = from;
        for (int i = 1; i < sources.length; i++) {
            boolean last = i == sources.length - 1;
            MemorySegment out = last ? target : this.sum;
            long outAt = last ? to : 0;
            switch (type) {
                case FLOAT32 -> loops.float32(reduction, sum, at, sources[i], from, out, outAt, count);
                case FLOAT64 -> loops.float64(reduction, sum, at, sources[i], from, out, outAt, count);
                default -> loops.int64(reduction, sum, at, sources[i], from, out, outAt, count);
            }
            sum = out;
            at = outAt;
        }
        if (reduction == Reduction.AVERAGE) {
            average(target, to, bytes, type, sources.length);
        }
    }

    private void combineWidened(
            MemorySegment target,
            long to,
            MemorySegment[] sources,
            long from,
            long count,
            ElementType type,
            Reduction reduction) {
        Loops.widen(type, sources[0], from, sum, count);
        for (int i = 1; i < sources.length; i++) {
            Loops.widen(type, sources[i], from, next, count);
            if (type.isFloating()) {
                loops.float32(reduction, sum, 0, next, 0, sum, 0, count);
            } else {
                loops.int64(reduction, sum, 0, next, 0, sum, 0, count);
            }
        }
        if (reduction == Reduction.AVERAGE) {
            loops.scaleFloat32(sum, 0, count, 1f / sources.length);
        }
        Loops.narrow(type, sum, target, to, count);
    }

    private static void copyUnlessSame(MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        if (source.address() + from != target.address() + to) {
            MemorySegment.copy(source, from, target, to, bytes);
        }
    }
}
