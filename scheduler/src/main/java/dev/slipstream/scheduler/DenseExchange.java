package dev.slipstream.scheduler;

import dev.slipstream.collectives.CollectiveHandle;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.kernels.BucketLayout;
import dev.slipstream.kernels.FloatFormat;
import dev.slipstream.kernels.KernelBuffer;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.kernels.PackKernel;
import java.lang.foreign.MemorySegment;

/**
 * All elements travel, in their own type or in 16 bits, by an all-reduce of the bucket's buffer in place.
 *
 * <p>The average is taken in the same way on every transport, so that one configuration has one result. Float32: the
 * factor 1/n goes into packing, where it costs no pass, and the collective sums. 16 bits: a factor before the sum would
 * underflow, and one after it overflow, so the collective averages: it sums in float32, scales, and rounds once. Float64:
 * a float32 factor would cost precision, so the collective averages too.
 */
final class DenseExchange implements BucketExchange {
    private final Communicator communicator;
    private final ElementType wireType;
    private final KernelBuffer buffer;
    private final PackKernel pack;
    private final Reduction reduction;
    private final float factor;
    private final MemorySegment[] views;

    DenseExchange(Communicator communicator, KernelEngine engine, PlannedBucket plan, MemorySegment allocation) {
        this.communicator = communicator;
        wireType = plan.wireType();
        BucketLayout layout = layout(plan);
        buffer = engine.wrap(allocation);
        pack = engine.pack(layout, buffer, format(plan.type()), format(wireType));
        boolean folded = plan.type() == ElementType.FLOAT32 && wireType == ElementType.FLOAT32;
        reduction = folded ? Reduction.SUM : Reduction.AVERAGE;
        factor = folded ? 1f / communicator.size() : 1f;
        views = plan.type() == wireType ? slots(layout, buffer.payload(), wireType) : new MemorySegment[0];
    }

    static BucketLayout layout(PlannedBucket plan) {
        return BucketLayout.of(
                plan.parameters().stream().map(Parameter::elements).toList());
    }

    /** The slots of a bucket that holds elements of {@code type}. */
    static MemorySegment[] slots(BucketLayout layout, MemorySegment payload, ElementType type) {
        long elementBytes = type.bytes();
        MemorySegment[] slots = new MemorySegment[layout.slots()];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = payload.asSlice(layout.offset(slot) * elementBytes, layout.length(slot) * elementBytes);
        }
        return slots;
    }

    static FloatFormat format(ElementType type) {
        return switch (type) {
            case FLOAT32 -> FloatFormat.FLOAT32;
            case FLOAT64 -> FloatFormat.FLOAT64;
            case FLOAT16 -> FloatFormat.FLOAT16;
            case BFLOAT16 -> FloatFormat.BFLOAT16;
            case INT32, INT64, UINT8 -> throw new IllegalArgumentException("Gradients are floating, not " + type + ".");
        };
    }

    @Override
    public void put(int slot, MemorySegment gradient) {
        // A gradient that is the bucket's own slot needs no copy; it is scaled in place, so that the average has the
        // same bits whether this rank or another copies.
        if (factor == 1f && gradient.equals(view(slot))) {
            return;
        }
        pack.put(slot, gradient, factor);
    }

    @Override
    public CollectiveHandle launch() {
        pack.flush();
        return communicator.allReduceAsync(buffer.payload(), wireType, reduction);
    }

    @Override
    public void complete() {
        pack.load();
    }

    @Override
    public void take(int slot, MemorySegment gradient) {
        if (!gradient.equals(view(slot))) {
            pack.take(slot, gradient);
        }
    }

    @Override
    public MemorySegment view(int slot) {
        return views.length == 0 ? MemorySegment.NULL : views[slot];
    }

    @Override
    public long bytesOnWire() {
        long ranks = communicator.size();
        return Math.multiplyExact(2 * (ranks - 1), buffer.bytes()) / ranks;
    }

    @Override
    public void close() {
        pack.close();
    }
}
