package dev.slipstream.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Random;

/** Elements of every type, seen as doubles or longs: test data and an independent reference. */
final class Elements {
    private Elements() {}

    static double get(MemorySegment segment, ElementType type, long index) {
        return switch (type) {
            case FLOAT32 -> segment.get(Loops.F32, index * 4);
            case FLOAT64 -> segment.get(Loops.F64, index * 8);
            case FLOAT16 -> Float.float16ToFloat(segment.get(Loops.I16, index * 2));
            case BFLOAT16 -> Float.intBitsToFloat(segment.get(Loops.I16, index * 2) << 16);
            case INT32 -> segment.get(Loops.I32, index * 4);
            case INT64, UINT8 -> throw new IllegalArgumentException("use getLong");
        };
    }

    static long getLong(MemorySegment segment, ElementType type, long index) {
        return switch (type) {
            case INT32 -> segment.get(Loops.I32, index * 4);
            case INT64 -> segment.get(Loops.I64, index * 8);
            case UINT8 -> segment.get(java.lang.foreign.ValueLayout.JAVA_BYTE, index) & 0xFF;
            default -> throw new IllegalArgumentException("use get");
        };
    }

    static void set(MemorySegment segment, ElementType type, long index, double value) {
        switch (type) {
            case FLOAT32 -> segment.set(Loops.F32, index * 4, (float) value);
            case FLOAT64 -> segment.set(Loops.F64, index * 8, value);
            case FLOAT16 -> segment.set(Loops.I16, index * 2, Float.floatToFloat16((float) value));
            case BFLOAT16 -> segment.set(Loops.I16, index * 2, (short) (Float.floatToRawIntBits((float) value) >>> 16));
            case INT32 -> segment.set(Loops.I32, index * 4, (int) value);
            case INT64 -> segment.set(Loops.I64, index * 8, (long) value);
            case UINT8 -> segment.set(java.lang.foreign.ValueLayout.JAVA_BYTE, index, (byte) (long) value);
        }
    }

    /** Rank {@code rank}'s test data: the same for whoever asks. Floats hold NaN, infinities, -0.0 and subnormals. */
    static MemorySegment random(Arena arena, ElementType type, long count, int rank, long seed, int ranks) {
        MemorySegment segment = arena.allocate(count * type.bytes(), 8);
        Random random = new Random(seed * 1_000_003 + rank);
        double[] special = {
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            -0.0,
            0.0,
            type == ElementType.FLOAT64 ? Double.MIN_VALUE : Float.MIN_VALUE,
            -3 * (double) Float.MIN_VALUE
        };
        for (long i = 0; i < count; i++) {
            double value;
            if (type.isFloating()) {
                value = random.nextInt(16) == 0 ? special[random.nextInt(special.length)] : random.nextGaussian();
            } else {
                value = type == ElementType.UINT8 ? random.nextInt(256 / ranks) : random.nextInt() / ranks;
            }
            set(segment, type, i, value);
        }
        return segment;
    }

    /** The reference in float64 (or exact integers), in rank order. */
    static double reduce(MemorySegment[] contributions, ElementType type, Reduction reduction, long index) {
        double result = get(contributions[0], type, index);
        for (int rank = 1; rank < contributions.length; rank++) {
            double value = get(contributions[rank], type, index);
            result = switch (reduction) {
                case SUM, AVERAGE -> result + value;
                case MIN -> Math.min(result, value);
                case MAX -> Math.max(result, value);
                case BAND, BOR -> throw new IllegalArgumentException("integers only");
            };
        }
        return reduction == Reduction.AVERAGE ? result / contributions.length : result;
    }

    static long reduceLong(MemorySegment[] contributions, ElementType type, Reduction reduction, long index) {
        BigInteger result = BigInteger.valueOf(getLong(contributions[0], type, index));
        for (int rank = 1; rank < contributions.length; rank++) {
            BigInteger value = BigInteger.valueOf(getLong(contributions[rank], type, index));
            result = switch (reduction) {
                case SUM -> result.add(value);
                case MIN -> result.min(value);
                case MAX -> result.max(value);
                case BAND -> result.and(value);
                case BOR -> result.or(value);
                case AVERAGE -> throw new IllegalArgumentException("floats only");
            };
        }
        return result.longValueExact();
    }

    /** The largest rounding that a sum of {@code magnitude} in this type may show. */
    static double tolerance(ElementType type, double magnitude, int ranks) {
        double epsilon = switch (type) {
            case FLOAT32 -> 0x1p-23;
            case FLOAT64 -> 0x1p-51;
            case FLOAT16 -> 0x1p-10;
            case BFLOAT16 -> 0x1p-7;
            default -> 0;
        };
        double subnormal = type == ElementType.FLOAT16 ? 0x1p-24 : Float.MIN_VALUE;
        return magnitude * epsilon * ranks + subnormal;
    }
}
