package dev.slipstream.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("dev.slipstream.kernels.Engines#all")
record CastKernelTest(Engines engines) {
    private static final int ALL = 1 << 16;

    /** The value of 16 bits by the standard's definition, in float64; NaN for any NaN. */
    private static double value(FloatFormat format, int bits) {
        int mantissaBits = format == FloatFormat.FLOAT16 ? 10 : 7;
        int bias = format == FloatFormat.FLOAT16 ? 15 : 127;
        int mantissa = bits & (1 << mantissaBits) - 1;
        int exponent = (bits & 0x7fff) >> mantissaBits;
        int largest = (0x7fff >> mantissaBits);
        double sign = (bits & 0x8000) == 0 ? 1 : -1;
        if (exponent == largest) {
            return mantissa == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
        }
        double fraction = exponent == 0 ? mantissa : mantissa + (1 << mantissaBits);
        return sign * fraction * Math.pow(2, Math.max(exponent, 1) - bias - mantissaBits);
    }

    @ParameterizedTest
    @EnumSource(
            value = FloatFormat.class,
            names = {"FLOAT16", "BFLOAT16"})
    void widenIsExactForAll65536Patterns(FloatFormat format) {
        try (KernelEngine engine = engines.open()) {
            KernelBuffer floats = engine.allocate(ALL * 4);
            KernelBuffer bits = engine.allocate(ALL * 2);
            for (int i = 0; i < ALL; i++) {
                bits.payload().setAtIndex(ValueLayout.JAVA_SHORT, i, (short) i);
            }
            CastKernel cast = engine.cast(floats, bits, ALL, format);
            cast.widen();
            for (int i = 0; i < ALL; i++) {
                float widened = floats.payload().getAtIndex(ValueLayout.JAVA_FLOAT, i);
                assertEquals((float) value(format, i), widened, "pattern " + Integer.toHexString(i));
            }
            // And back: every value that is not a NaN comes home; a NaN stays one, with its sign.
            cast.narrow();
            for (int i = 0; i < ALL; i++) {
                int back = bits.payload().getAtIndex(ValueLayout.JAVA_SHORT, i) & 0xffff;
                if (Double.isNaN(value(format, i))) {
                    assertEquals(Double.NaN, value(format, back));
                    assertEquals(i & 0x8000, back & 0x8000);
                } else {
                    assertEquals(i, back);
                }
            }
        }
    }

    /** Every border between two neighbours, one step of float32 below, on and above it. */
    @ParameterizedTest
    @EnumSource(
            value = FloatFormat.class,
            names = {"FLOAT16", "BFLOAT16"})
    void narrowRoundsToNearestTiesToEvenAtEveryBorder(FloatFormat format) {
        int finite = format == FloatFormat.FLOAT16 ? 0x7c00 : 0x7f80;
        float[] values = new float[3 * finite * 2];
        int[] expected = new int[values.length];
        int n = 0;
        for (int low = 0; low < finite; low++) {
            double next = low + 1 == finite
                    // Where the next value would be if the format went on: what lies beyond the half overflows.
                    ? 2 * value(format, low) - value(format, low - 1)
                    : value(format, low + 1);
            double border = (value(format, low) + next) / 2;
            assertEquals(0, new BigDecimal(border).compareTo(new BigDecimal((float) border)), "a border is a float32");
            int even = low % 2 == 0 ? low : low + 1;
            float[] around = {Math.nextDown((float) border), (float) border, Math.nextUp((float) border)};
            int[] nearest = {low, even, low + 1};
            for (int i = 0; i < 3; i++) {
                values[n] = around[i];
                expected[n++] = nearest[i];
                values[n] = -around[i];
                expected[n++] = nearest[i] | 0x8000;
            }
        }
        try (KernelEngine engine = engines.open()) {
            KernelBuffer floats = Inputs.buffer(engine, values);
            KernelBuffer bits = engine.allocate(values.length * 2L);
            engine.cast(floats, bits, values.length, format).narrow();
            for (int i = 0; i < n; i++) {
                int got = bits.payload().getAtIndex(ValueLayout.JAVA_SHORT, i) & 0xffff;
                assertEquals(expected[i], got, Float.toHexString(values[i]));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FloatFormat.class,
            names = {"FLOAT16", "BFLOAT16"})
    void allEnginesGiveTheBitsOfTheScalarCast(FloatFormat format) {
        int size = 300_007;
        Random random = new Random(7);
        int[] patterns = random.ints(size).toArray();
        try (KernelEngine engine = engines.open()) {
            KernelBuffer floats = engine.allocate(size * 4L);
            KernelBuffer bits = engine.allocate(size * 2L);
            MemorySegment.copy(patterns, 0, floats.payload(), ValueLayout.JAVA_INT, 0, size);
            CastKernel cast = engine.cast(floats, bits, size, format);
            cast.narrow();
            short[] narrowed = new short[size];
            int[] widened = new int[size];
            for (int i = 0; i < size; i++) {
                float value = Float.intBitsToFloat(patterns[i]);
                narrowed[i] =
                        format == FloatFormat.FLOAT16 ? SixteenBits.toFloat16(value) : SixteenBits.toBfloat16(value);
                widened[i] = format == FloatFormat.FLOAT16 ? SixteenBits.float16ToBits(narrowed[i]) : narrowed[i] << 16;
            }
            assertArrayEquals(narrowed, bits.payload().asSlice(0, size * 2L).toArray(ValueLayout.JAVA_SHORT));
            cast.widen();
            assertArrayEquals(widened, Inputs.bits(floats.payload(), false));
        }
    }

    @Test
    void sizesThatAreNoMultipleOfAVector() {
        for (int size : Inputs.SIZES) {
            float[] values = Inputs.random(size, 5);
            try (KernelEngine engine = engines.open()) {
                KernelBuffer floats = Inputs.buffer(engine, values);
                KernelBuffer bits = engine.allocate(size * 2L + 2);
                bits.payload().setAtIndex(ValueLayout.JAVA_SHORT, size, (short) 0x1234);
                engine.cast(floats, bits, size, FloatFormat.BFLOAT16).narrow();
                for (int i = 0; i < size; i++) {
                    assertEquals(
                            SixteenBits.toBfloat16(values[i]), bits.payload().getAtIndex(ValueLayout.JAVA_SHORT, i));
                }
                assertEquals(0x1234, bits.payload().getAtIndex(ValueLayout.JAVA_SHORT, size), "beyond the end");
            }
        }
    }
}
