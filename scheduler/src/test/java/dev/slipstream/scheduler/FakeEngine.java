package dev.slipstream.scheduler;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.slipstream.kernels.BucketLayout;
import dev.slipstream.kernels.CastKernel;
import dev.slipstream.kernels.FloatFormat;
import dev.slipstream.kernels.KernelBuffer;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.kernels.PackKernel;
import dev.slipstream.kernels.ScaleKernel;
import dev.slipstream.kernels.SumKernel;
import dev.slipstream.kernels.TopKKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The kernels that the scheduler uses, as plain as can be. */
final class FakeEngine implements KernelEngine {
    @Override
    public String name() {
        return "fake";
    }

    @Override
    public String description() {
        return "fake";
    }

    @Override
    public KernelBuffer allocate(long bytes) {
        MemorySegment payload = Arena.ofAuto().allocate(bytes, 64);
        return () -> payload;
    }

    @Override
    public KernelBuffer wrap(MemorySegment allocation) {
        MemorySegment payload = allocation.asSlice(HEADROOM);
        return () -> payload;
    }

    @Override
    public ScaleKernel scale(KernelBuffer buffer, long elements) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SumKernel sum(List<KernelBuffer> replicas, KernelBuffer target, long elements) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CastKernel cast(KernelBuffer floats, KernelBuffer bits, long elements, FloatFormat format) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}

    @Override
    public PackKernel pack(
            BucketLayout layout, KernelBuffer bucket, FloatFormat gradientFormat, FloatFormat bucketFormat) {
        return new PackKernel() {
            @Override
            public void put(int slot, MemorySegment gradient, float factor) {
                for (long i = 0; i < layout.length(slot); i++) {
                    long at = (layout.offset(slot) + i) * bucketFormat.bytes();
                    if (gradientFormat == FloatFormat.FLOAT64) {
                        double value = gradient.get(JAVA_DOUBLE_UNALIGNED, 8 * i);
                        bucket.payload().set(JAVA_DOUBLE_UNALIGNED, at, value * factor);
                    } else {
                        float value = get(gradient, gradientFormat, i * gradientFormat.bytes());
                        set(bucket.payload(), bucketFormat, at, factor == 1 ? value : value * factor);
                    }
                }
            }

            @Override
            public void flush() {}

            @Override
            public void putAll(List<MemorySegment> gradients, float factor) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void load() {}

            @Override
            public void take(int slot, MemorySegment gradient) {
                for (long i = 0; i < layout.length(slot); i++) {
                    long at = (layout.offset(slot) + i) * bucketFormat.bytes();
                    if (gradientFormat == FloatFormat.FLOAT64) {
                        gradient.set(
                                JAVA_DOUBLE_UNALIGNED, 8 * i, bucket.payload().get(JAVA_DOUBLE_UNALIGNED, at));
                    } else {
                        set(
                                gradient,
                                gradientFormat,
                                i * gradientFormat.bytes(),
                                get(bucket.payload(), bucketFormat, at));
                    }
                }
            }

            @Override
            public void takeAll(List<MemorySegment> gradients) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
    }

    private static float get(MemorySegment segment, FloatFormat format, long at) {
        return switch (format) {
            case FLOAT16 -> Float.float16ToFloat(segment.get(JAVA_SHORT_UNALIGNED, at));
            case BFLOAT16 -> Float.intBitsToFloat(segment.get(JAVA_SHORT_UNALIGNED, at) << 16);
            default -> segment.get(JAVA_FLOAT_UNALIGNED, at);
        };
    }

    private static void set(MemorySegment segment, FloatFormat format, long at, float value) {
        switch (format) {
            case FLOAT16 -> segment.set(JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(value));
            case BFLOAT16 -> segment.set(JAVA_SHORT_UNALIGNED, at, FakeGroup.bfloat16(value));
            default -> segment.set(JAVA_FLOAT_UNALIGNED, at, value);
        }
    }

    @Override
    public TopKKernel topK(KernelBuffer gradient, KernelBuffer residual, long elements, int maxK) {
        MemorySegment indices = Arena.ofAuto().allocate(4L * maxK, 64);
        MemorySegment values = Arena.ofAuto().allocate(4L * maxK, 64);
        return new TopKKernel() {
            private int k;

            @Override
            public void run(int newK) {
                k = newK;
                int n = Math.toIntExact(elements);
                float[] sum = new float[n];
                for (int i = 0; i < n; i++) {
                    sum[i] = gradient.payload().get(JAVA_FLOAT_UNALIGNED, 4L * i)
                            + residual.payload().get(JAVA_FLOAT_UNALIGNED, 4L * i);
                    residual.payload().set(JAVA_FLOAT_UNALIGNED, 4L * i, sum[i]);
                }
                int[] chosen = IntStream.range(0, n)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> -Math.abs(sum[i])))
                        .limit(k)
                        .mapToInt(Integer::intValue)
                        .sorted()
                        .toArray();
                for (int j = 0; j < k; j++) {
                    indices.set(JAVA_INT_UNALIGNED, 4L * j, chosen[j]);
                    values.set(JAVA_FLOAT_UNALIGNED, 4L * j, sum[chosen[j]]);
                    residual.payload().set(JAVA_FLOAT_UNALIGNED, 4L * chosen[j], 0f);
                }
            }

            @Override
            public MemorySegment indices() {
                return indices.asSlice(0, 4L * k);
            }

            @Override
            public MemorySegment values() {
                return values.asSlice(0, 4L * k);
            }

            @Override
            public void close() {}
        };
    }
}
