package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** What every engine asks of its arguments, in one sentence each. */
public final class Checks {
    /** The most replicas that one kernel sums. */
    public static final int MAX_REPLICAS = 8;

    private Checks() {}

    /** The payload of an allocation given to {@link KernelEngine#wrap}. */
    public static MemorySegment payload(MemorySegment allocation) {
        if (!allocation.isNative()) {
            throw new IllegalArgumentException("A kernel's buffer is native memory, but was given an array.");
        }
        if (allocation.byteSize() < KernelEngine.HEADROOM) {
            throw new IllegalArgumentException("An allocation for a kernel begins with " + KernelEngine.HEADROOM
                    + " bytes of headroom, but is " + allocation.byteSize() + " bytes in all.");
        }
        return allocation.asSlice(KernelEngine.HEADROOM);
    }

    /** That a buffer has room for so many elements. */
    public static void holds(String what, KernelBuffer buffer, long elements, FloatFormat format) {
        if (elements < 0) {
            throw new IllegalArgumentException("A kernel works on 0 elements or more, not on " + elements + ".");
        }
        long bytes = Math.multiplyExact(elements, (long) format.bytes());
        if (buffer.bytes() < bytes) {
            throw new IllegalArgumentException(what + " holds " + buffer.bytes() + " bytes, too few for " + elements
                    + " elements of " + format + " (" + bytes + " bytes).");
        }
    }

    /** The arguments of {@link KernelEngine#sum}. */
    public static void replicas(List<KernelBuffer> replicas, KernelBuffer target, long elements) {
        if (replicas.isEmpty() || replicas.size() > MAX_REPLICAS) {
            throw new IllegalArgumentException(
                    "A kernel sums 1 to " + MAX_REPLICAS + " replicas, but was given " + replicas.size() + ".");
        }
        for (int i = 0; i < replicas.size(); i++) {
            holds("Replica " + i, replicas.get(i), elements, FloatFormat.FLOAT32);
        }
        holds("The target", target, elements, FloatFormat.FLOAT32);
    }

    /** The formats of {@link KernelEngine#pack}. */
    public static void packing(FloatFormat gradients, FloatFormat bucket) {
        boolean compresses = gradients == FloatFormat.FLOAT32 && bucket.bytes() == 2;
        if (gradients != bucket && !compresses) {
            throw new IllegalArgumentException("Gradients of " + gradients + " do not go into a bucket of " + bucket
                    + "; a bucket has their own format, or 16 bits for FLOAT32.");
        }
    }

    /** The format of {@link KernelEngine#cast}. */
    public static void sixteenBits(FloatFormat format) {
        if (format.bytes() != 2) {
            throw new IllegalArgumentException(
                    "A cast is between FLOAT32 and FLOAT16 or BFLOAT16, not " + format + ".");
        }
    }

    /** The arguments of {@link KernelEngine#topK}. */
    public static void selection(KernelBuffer gradient, KernelBuffer residual, long elements, int maxK) {
        holds("The gradient", gradient, elements, FloatFormat.FLOAT32);
        holds("The residual", residual, elements, FloatFormat.FLOAT32);
        if (elements > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "A selection indexes by int32, but was given " + elements + " elements; use smaller buckets.");
        }
        if (maxK < 0 || maxK > elements) {
            throw new IllegalArgumentException(
                    "The largest k is 0 to the number of elements (" + elements + "), but is " + maxK + ".");
        }
    }

    /** The argument of {@link TopKKernel#run}. */
    public static void k(int k, int maxK) {
        if (k < 0 || k > maxK) {
            throw new IllegalArgumentException(
                    "k is 0 to the maximum that the kernel was prepared for (" + maxK + "), but is " + k + ".");
        }
    }

    /** A gradient that goes into or out of a slot. */
    public static void gradient(BucketLayout layout, int slot, MemorySegment gradient, FloatFormat format) {
        long bytes = layout.length(slot) * format.bytes();
        if (gradient.byteSize() != bytes) {
            throw new IllegalArgumentException("The gradient of slot " + slot + " has " + gradient.byteSize()
                    + " bytes, but the slot holds " + layout.length(slot) + " elements of " + format + " (" + bytes
                    + " bytes).");
        }
    }

    /** As many gradients as slots, each of its slot's length. */
    public static void gradients(BucketLayout layout, List<MemorySegment> gradients, FloatFormat format) {
        if (gradients.size() != layout.slots()) {
            throw new IllegalArgumentException(
                    "The bucket has " + layout.slots() + " slots, but was given " + gradients.size() + " gradients.");
        }
        for (int slot = 0; slot < gradients.size(); slot++) {
            gradient(layout, slot, gradients.get(slot), format);
        }
    }
}
