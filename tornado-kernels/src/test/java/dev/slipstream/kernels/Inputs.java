package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Values that have broken kernels before, in sizes around those of work-groups, vectors and parts. */
record Inputs(String label, float[] values) {
    static final int[] SIZES = {0, 1, 7, 255, 256, 257, 65_537};

    /** Beyond the size from which a kernel takes all its threads, several times over, and odd. */
    static final int LARGE = 1_000_003;

    static List<Inputs> all() {
        List<Inputs> inputs = new ArrayList<>();
        for (int size : SIZES) {
            inputs.addAll(kinds(size));
        }
        inputs.add(new Inputs("random of " + LARGE, random(LARGE, 1)));
        inputs.add(new Inputs("special values of " + LARGE, special(LARGE)));
        inputs.add(new Inputs("all equal of " + LARGE, filled(LARGE, -3.5f)));
        return inputs;
    }

    private static List<Inputs> kinds(int size) {
        float[] outlier = random(size, 2);
        if (size > 0) {
            outlier[size / 2] = 3e38f;
        }
        float[] ascending = new float[size];
        for (int i = 0; i < size; i++) {
            ascending[i] = i;
        }
        return List.of(
                new Inputs("random of " + size, random(size, size)),
                new Inputs("special values of " + size, special(size)),
                new Inputs("all equal of " + size, filled(size, 0.1f)),
                new Inputs("all zero of " + size, filled(size, 0f)),
                new Inputs("ascending of " + size, ascending),
                new Inputs("one outlier of " + size, outlier));
    }

    static float[] random(int size, long seed) {
        Random random = new Random(seed);
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    private static float[] filled(int size, float value) {
        float[] values = new float[size];
        Arrays.fill(values, value);
        return values;
    }

    /** NaN of both signs and several payloads, infinities, zeros, subnormals, the borders of the 16-bit formats. */
    private static float[] special(int size) {
        int[] bits = {
            0x7fc0_0000,
            0xffc0_0000,
            0x7fff_ffff,
            0xffc1_2345,
            0x7f80_0000,
            0xff80_0000,
            0,
            0x8000_0000,
            1,
            0x8000_0001,
            0x007f_ffff,
            0x0080_0000,
            0x3380_0000,
            0x3300_0000,
            0x3300_0001,
            0x3880_0000,
            0x387f_ffff,
            0x477f_efff,
            0x477f_f000,
            0x4780_0000,
            0x7f7f_ffff,
            0xff7f_ffff,
            0x3f80_8000,
            0x3f81_8000,
            0x3f80_7fff,
            0x3f80_1000,
            0x3f80_3000,
            0x4049_0fdb
        };
        float[] values = random(size, 3);
        for (int i = 0; i < size; i += 1 + i % 3) {
            values[i] = Float.intBitsToFloat(bits[i % bits.length]);
        }
        return values;
    }

    static MemorySegment heap(float[] values) {
        return MemorySegment.ofArray(values);
    }

    static KernelBuffer buffer(KernelEngine engine, float[] values) {
        KernelBuffer buffer = engine.allocate(values.length * 4L);
        MemorySegment.copy(values, 0, buffer.payload(), ValueLayout.JAVA_FLOAT, 0, values.length);
        return buffer;
    }

    /** The bits of a buffer's float32 elements, every NaN as one where {@code anyNan}. */
    static int[] bits(MemorySegment floats, boolean anyNan) {
        int[] bits = floats.toArray(ValueLayout.JAVA_INT_UNALIGNED);
        return anyNan ? oneNan(bits) : bits;
    }

    /** Which NaN arithmetic gives is left open by IEEE 754 and by Java. */
    static int[] oneNan(int[] bits) {
        return IntStream.of(bits)
                .map(b -> (b & Integer.MAX_VALUE) > 0x7f80_0000 ? 0x7fc0_0000 : b)
                .toArray();
    }

    static int[] bits(float[] values) {
        return oneNan(IntStream.range(0, values.length)
                .map(i -> Float.floatToRawIntBits(values[i]))
                .toArray());
    }

    @Override
    public String toString() {
        return label;
    }
}
