package dev.slipstream.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("dev.slipstream.kernels.Engines#all")
record PackKernelTest(Engines engines) {
    /** More slots than a graph has tasks, empty ones among them, and one that takes all threads. */
    private static final long[] LENGTHS = IntStream.concat(
                    IntStream.range(0, 70).map(i -> i % 9 == 4 ? 0 : i * 37 % 301), IntStream.of(0, 300_001, 1, 0))
            .asLongStream()
            .toArray();

    private static List<float[]> gradients() {
        List<float[]> gradients = new ArrayList<>();
        for (int slot = 0; slot < LENGTHS.length; slot++) {
            float[] values = Inputs.random(Math.toIntExact(LENGTHS[slot]), slot);
            if (values.length > 3) {
                values[0] = Float.NaN;
                values[1] = -0f;
                values[2] = Float.NEGATIVE_INFINITY;
                values[3] = Float.MIN_VALUE;
            }
            gradients.add(values);
        }
        return gradients;
    }

    private static short narrow(FloatFormat format, float value) {
        return format == FloatFormat.FLOAT16 ? SixteenBits.toFloat16(value) : SixteenBits.toBfloat16(value);
    }

    private static int widen(FloatFormat format, short bits) {
        return format == FloatFormat.FLOAT16 ? SixteenBits.float16ToBits(bits) : bits << 16;
    }

    @ParameterizedTest
    @EnumSource(
            value = FloatFormat.class,
            names = {"FLOAT32", "FLOAT16", "BFLOAT16"})
    void gradientsGoInScaledAndComeOutAgain(FloatFormat format) {
        BucketLayout layout = BucketLayout.of(LENGTHS);
        List<float[]> gradients = gradients();
        for (float factor : new float[] {1f, 1f / 3}) {
            for (boolean together : new boolean[] {true, false}) {
                try (KernelEngine engine = engines.open()) {
                    KernelBuffer bucket = engine.allocate(layout.elements() * format.bytes());
                    PackKernel pack = engine.pack(layout, bucket, FloatFormat.FLOAT32, format);
                    put(pack, gradients, factor, together);
                    int[] expected = new int[Math.toIntExact(layout.elements())];
                    int n = 0;
                    for (float[] gradient : gradients) {
                        for (float value : gradient) {
                            float scaled = factor == 1f ? value : value * factor;
                            short bits = format.bytes() == 2 ? narrow(format, scaled) : 0;
                            if (format.bytes() == 2) {
                                assertEquals(bits, bucket.payload().getAtIndex(ValueLayout.JAVA_SHORT, n), "at " + n);
                            }
                            expected[n++] = format.bytes() == 2 ? widen(format, bits) : Float.floatToRawIntBits(scaled);
                        }
                    }
                    if (format == FloatFormat.FLOAT32) {
                        assertArrayEquals(Inputs.oneNan(expected), Inputs.bits(bucket.payload(), true));
                    }
                    List<float[]> back = take(pack, layout, together);
                    int at = 0;
                    for (float[] gradient : back) {
                        for (float value : gradient) {
                            assertEquals(
                                    Inputs.oneNan(new int[] {expected[at++]})[0], Inputs.bits(new float[] {value})[0]);
                        }
                    }
                }
            }
        }
    }

    private static void put(PackKernel pack, List<float[]> gradients, float factor, boolean together) {
        if (together) {
            pack.putAll(gradients.stream().map(Inputs::heap).toList(), factor);
            return;
        }
        // As a backward pass brings them: the last first, some from native memory.
        for (int slot = gradients.size() - 1; slot >= 0; slot--) {
            MemorySegment gradient = Inputs.heap(gradients.get(slot));
            if (slot % 2 == 0) {
                MemorySegment outside = java.lang.foreign.Arena.ofAuto().allocate(gradient.byteSize() + 4, 4);
                gradient = outside.asSlice(4).copyFrom(gradient);
            }
            pack.put(slot, gradient, factor);
        }
        pack.flush();
    }

    private static List<float[]> take(PackKernel pack, BucketLayout layout, boolean together) {
        List<float[]> back = new ArrayList<>();
        for (int slot = 0; slot < layout.slots(); slot++) {
            back.add(new float[Math.toIntExact(layout.length(slot))]);
        }
        if (together) {
            pack.takeAll(back.stream().map(Inputs::heap).toList());
        } else {
            pack.load();
            for (int slot = 0; slot < layout.slots(); slot++) {
                pack.take(slot, Inputs.heap(back.get(slot)));
            }
        }
        return back;
    }

    @Test
    void float64IsScaledInFloat64() {
        BucketLayout layout = BucketLayout.of(3, 0, 70_001);
        double[] first = {1e300, -0.0, Double.MIN_VALUE};
        double[] last =
                IntStream.range(0, 70_001).mapToDouble(i -> 1.0 / (i + 1)).toArray();
        try (KernelEngine engine = engines.open()) {
            KernelBuffer bucket = engine.allocate(layout.elements() * 8);
            PackKernel pack = engine.pack(layout, bucket, FloatFormat.FLOAT64, FloatFormat.FLOAT64);
            pack.putAll(
                    List.of(
                            MemorySegment.ofArray(first),
                            MemorySegment.ofArray(new double[0]),
                            MemorySegment.ofArray(last)),
                    0.25f);
            for (int i = 0; i < 3; i++) {
                assertEquals(first[i] * 0.25, bucket.payload().getAtIndex(ValueLayout.JAVA_DOUBLE, i));
            }
            for (int i = 0; i < last.length; i++) {
                assertEquals(last[i] * 0.25, bucket.payload().getAtIndex(ValueLayout.JAVA_DOUBLE, 3 + i));
            }
            double[] back = new double[3];
            pack.load();
            pack.take(0, MemorySegment.ofArray(back));
            assertEquals(first[0] * 0.25, back[0]);
        }
    }

    @Test
    void aBucketWithoutElementsDoesNothing() {
        try (KernelEngine engine = engines.open()) {
            PackKernel none =
                    engine.pack(BucketLayout.of(), engine.allocate(0), FloatFormat.FLOAT32, FloatFormat.FLOAT32);
            none.putAll(List.of(), 0.5f);
            none.takeAll(List.of());
            PackKernel empty =
                    engine.pack(BucketLayout.of(0, 0), engine.allocate(0), FloatFormat.FLOAT32, FloatFormat.FLOAT16);
            empty.putAll(List.of(Inputs.heap(new float[0]), Inputs.heap(new float[0])), 0.5f);
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        try (KernelEngine engine = engines.open()) {
            KernelBuffer bucket = engine.allocate(40);
            BucketLayout layout = BucketLayout.of(4, 6);
            PackKernel pack = engine.pack(layout, bucket, FloatFormat.FLOAT32, FloatFormat.FLOAT32);
            assertSays(
                    "slot 1 has 20 bytes, but the slot holds 6 elements",
                    () -> pack.put(1, Inputs.heap(new float[5]), 1));
            assertSays("has 2 slots, but was given 1", () -> pack.putAll(List.of(Inputs.heap(new float[4])), 1));
            assertSays("slot 0 has 0 bytes", () -> pack.take(0, Inputs.heap(new float[0])));
            assertSays(
                    "do not go into a bucket of FLOAT16",
                    () -> engine.pack(layout, bucket, FloatFormat.FLOAT64, FloatFormat.FLOAT16));
            assertSays(
                    "holds 40 bytes, too few for 11",
                    () -> engine.pack(BucketLayout.of(11), bucket, FloatFormat.FLOAT32, FloatFormat.FLOAT32));
        }
    }

    private static void assertSays(String part, org.junit.jupiter.api.function.Executable call) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, call);
        assertTrue(String.valueOf(thrown.getMessage()).contains(part), thrown::getMessage);
    }
}
