package dev.slipstream.bench;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;

/** What kernels are compared with: the same in plain Java, as one would write it, on one thread. */
public final class Baselines {
    private Baselines() {}

    /** Multiplies in place. */
    public static void scale(MemorySegment values, long elements) {
        for (long i = 0; i < elements; i++) {
            values.setAtIndex(ValueLayout.JAVA_FLOAT, i, values.getAtIndex(ValueLayout.JAVA_FLOAT, i) * 1.0001f);
        }
    }

    /** Copies times {@code factor}. */
    public static void pack(MemorySegment source, MemorySegment target, long elements, float factor) {
        for (long i = 0; i < elements; i++) {
            target.setAtIndex(ValueLayout.JAVA_FLOAT, i, source.getAtIndex(ValueLayout.JAVA_FLOAT, i) * factor);
        }
    }

    /** Halves the sum. */
    public static void mean(MemorySegment into, MemorySegment other, long elements) {
        for (long i = 0; i < elements; i++) {
            float sum = into.getAtIndex(ValueLayout.JAVA_FLOAT, i) + other.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            into.setAtIndex(ValueLayout.JAVA_FLOAT, i, sum * 0.5f);
        }
    }

    /** Casts. */
    public static void toFloat16(MemorySegment floats, MemorySegment bits, long elements) {
        for (long i = 0; i < elements; i++) {
            bits.setAtIndex(
                    ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(floats.getAtIndex(ValueLayout.JAVA_FLOAT, i)));
        }
    }

    /** Casts; numbers only. */
    public static void toBfloat16(MemorySegment floats, MemorySegment bits, long elements) {
        for (long i = 0; i < elements; i++) {
            int value = floats.getAtIndex(ValueLayout.JAVA_INT, i);
            bits.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) ((value + 0x7fff + ((value >>> 16) & 1)) >>> 16));
        }
    }

    /** The fastest sort that Java has: of primitive keys, the magnitude above the index. */
    public static long[] sortByMagnitude(MemorySegment values, long elements) {
        long[] keys = new long[Math.toIntExact(elements)];
        for (int i = 0; i < keys.length; i++) {
            int magnitude = values.getAtIndex(ValueLayout.JAVA_INT, i) & Integer.MAX_VALUE;
            keys[i] = ((long) (Integer.MAX_VALUE - magnitude) << 32) | i;
        }
        Arrays.sort(keys);
        return keys;
    }

    /** Numbers around zero, small ones more often, as gradients have them; the same in every run. */
    public static void fill(MemorySegment segment, long elements) {
        Random random = new Random(1);
        for (long i = 0; i < elements; i++) {
            segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, (random.nextFloat() - 0.5f) * random.nextFloat());
        }
    }
}
