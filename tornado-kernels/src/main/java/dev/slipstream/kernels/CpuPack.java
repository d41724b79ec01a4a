package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Packs straight into the bucket's memory: one pass over a gradient, which scales, casts and copies at once. */
final class CpuPack implements PackKernel {
    private final Loops loops;
    private final Workers workers;
    private final BucketLayout layout;
    private final MemorySegment bucket;
    private final FloatFormat gradientFormat;
    private final FloatFormat bucketFormat;

    CpuPack(
            Loops loops,
            Workers workers,
            BucketLayout layout,
            MemorySegment bucket,
            FloatFormat gradientFormat,
            FloatFormat bucketFormat) {
        this.loops = loops;
        this.workers = workers;
        this.layout = layout;
        this.bucket = bucket;
        this.gradientFormat = gradientFormat;
        this.bucketFormat = bucketFormat;
    }

    @Override
    public void put(int slot, MemorySegment gradient, float factor) {
        Checks.gradient(layout, slot, gradient, gradientFormat);
        long length = layout.length(slot);
        if (workers.parts(length) == 1) {
            put(slot, gradient, 0, length, factor);
        } else {
            workers.run(length, (part, from, to) -> put(slot, gradient, from, to, factor));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void putAll(List<MemorySegment> gradients, float factor) {
        Checks.gradients(layout, gradients, gradientFormat);
        workers.run(layout.elements(), (part, from, to) -> {
            for (int slot = layout.slotAt(from); slot < layout.slots() && layout.offset(slot) < to; slot++) {
                long first = Math.max(from - layout.offset(slot), 0);
                long last = Math.min(to - layout.offset(slot), layout.length(slot));
                put(slot, gradients.get(slot), first, last, factor);
            }
        });
    }

    private void put(int slot, MemorySegment gradient, long from, long to, float factor) {
        long in = from * gradientFormat.bytes();
        long out = (layout.offset(slot) + from) * bucketFormat.bytes();
        long count = to - from;
        if (gradientFormat != bucketFormat) {
            loops.narrow(bucketFormat, gradient, in, bucket, out, count, factor);
        } else if (factor == 1f) {
            MemorySegment.copy(gradient, in, bucket, out, count * gradientFormat.bytes());
        } else {
            switch (gradientFormat) {
                case FLOAT32 -> loops.scale(gradient, in, bucket, out, count, factor);
                case FLOAT64 -> loops.scale64(gradient, in, bucket, out, count, factor);
                case FLOAT16, BFLOAT16 -> SixteenBits.scale(gradientFormat, gradient, in, bucket, out, count, factor);
            }
        }
    }

    @Override
    public void load() {}

    @Override
    public void take(int slot, MemorySegment gradient) {
        Checks.gradient(layout, slot, gradient, gradientFormat);
        long length = layout.length(slot);
        if (workers.parts(length) == 1) {
            take(slot, gradient, 0, length);
        } else {
            workers.run(length, (part, from, to) -> take(slot, gradient, from, to));
        }
    }

    @Override
    public void takeAll(List<MemorySegment> gradients) {
        Checks.gradients(layout, gradients, gradientFormat);
        workers.run(layout.elements(), (part, from, to) -> {
            for (int slot = layout.slotAt(from); slot < layout.slots() && layout.offset(slot) < to; slot++) {
                long first = Math.max(from - layout.offset(slot), 0);
                long last = Math.min(to - layout.offset(slot), layout.length(slot));
                take(slot, gradients.get(slot), first, last);
            }
        });
    }

    private void take(int slot, MemorySegment gradient, long from, long to) {
        long in = (layout.offset(slot) + from) * bucketFormat.bytes();
        long out = from * gradientFormat.bytes();
        if (gradientFormat == bucketFormat) {
            MemorySegment.copy(bucket, in, gradient, out, (to - from) * gradientFormat.bytes());
        } else {
            loops.widen(bucketFormat, bucket, in, gradient, out, to - from);
        }
    }

    @Override
    public void close() {}
}
