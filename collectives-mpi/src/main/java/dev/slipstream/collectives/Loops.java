package dev.slipstream.collectives;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The innermost loops of a reduction: {@code out[i] = a[i] op b[i]} over blocks that fit the first-level cache. Offsets
 * are in bytes, counts in elements; {@code out} may be {@code a} or {@code b}, at the same offset.
 *
 * <p>This class holds plain loops, which HotSpot vectorises; {@link VectorLoops} holds the same with the Vector API. Both
 * give the same bits.
 */
sealed class Loops permits VectorLoops {
    /** The loops for this JVM: with the Vector API where its module is there. */
    static Loops best() {
        return Best.LOOPS;
    }

    private static final class Best {
        private static final Logger LOG = LoggerFactory.getLogger(Loops.class);
        static final Loops LOOPS = choose();

        private static Loops choose() {
            if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
                return new VectorLoops();
            }
            LOG.warn("The module jdk.incubator.vector is missing, so reductions use plain loops: right, but slower. "
                    + "Start Java with --add-modules jdk.incubator.vector.");
            return new Loops();
        }
    }

    void float32(
            Reduction op,
            MemorySegment a,
            long atA,
            MemorySegment b,
            long atB,
            MemorySegment out,
            long at,
            long count) {
        float32From(0, op, a, atA, b, atB, out, at, count);
    }

    void float64(
            Reduction op,
            MemorySegment a,
            long atA,
            MemorySegment b,
            long atB,
            MemorySegment out,
            long at,
            long count) {
        float64From(0, op, a, atA, b, atB, out, at, count);
    }

    void int64(
            Reduction op,
            MemorySegment a,
            long atA,
            MemorySegment b,
            long atB,
            MemorySegment out,
            long at,
            long count) {
        int64From(0, op, a, atA, b, atB, out, at, count);
    }

    void scaleFloat32(MemorySegment a, long at, long count, float factor) {
        scaleFloat32From(0, a, at, count, factor);
    }

    static void float32From(
            long start,
            Reduction op,
            MemorySegment a,
            long atA,
            MemorySegment b,
            long atB,
            MemorySegment out,
            long at,
            long count) {
        switch (op) {
            case SUM, AVERAGE -> {
                for (long i = start; i < count; i++) {
                    float sum = a.get(F32, atA + i * 4) + b.get(F32, atB + i * 4);
                    out.set(F32, at + i * 4, sum);
                }
            }
            case MIN -> {
                for (long i = start; i < count; i++) {
                    out.set(F32, at + i * 4, Math.min(a.get(F32, atA + i * 4), b.get(F32, atB + i * 4)));
                }
            }
            case MAX -> {
                for (long i = start; i < count; i++) {
                    out.set(F32, at + i * 4, Math.max(a.get(F32, atA + i * 4), b.get(F32, atB + i * 4)));
                }
            }
            case BAND, BOR -> throw new IllegalArgumentException(op + " of floating elements");
        }
    }

    static void float64From(
            long start,
            Reduction op,
            MemorySegment a,
            long atA,
            MemorySegment b,
            long atB,
            MemorySegment out,
            long at,
            long count) {
        switch (op) {
            case SUM, AVERAGE -> {
                for (long i = start; i < count; i++) {
                    double sum = a.get(F64, atA + i * 8) + b.get(F64, atB + i * 8);
                    out.set(F64, at + i * 8, sum);
                }
            }
            case MIN -> {
                for (long i = start; i < count; i++) {
                    out.set(F64, at + i * 8, Math.min(a.get(F64, atA + i * 8), b.get(F64, atB + i * 8)));
                }
            }
            case MAX -> {
                for (long i = start; i < count; i++) {
                    out.set(F64, at + i * 8, Math.max(a.get(F64, atA + i * 8), b.get(F64, atB + i * 8)));
                }
            }
            case BAND, BOR -> throw new IllegalArgumentException(op + " of floating elements");
        }
    }

    /** Sums must not leave the range: {@link Math#addExact(long, long)} says so. */
    static void int64From(
            long start,
            Reduction op,
            MemorySegment a,
            long atA,
            MemorySegment b,
            long atB,
            MemorySegment out,
            long at,
            long count) {
        switch (op) {
            case SUM, AVERAGE -> {
                for (long i = start; i < count; i++) {
                    out.set(I64, at + i * 8, Math.addExact(a.get(I64, atA + i * 8), b.get(I64, atB + i * 8)));
                }
            }
            case MIN -> {
                for (long i = start; i < count; i++) {
                    out.set(I64, at + i * 8, Math.min(a.get(I64, atA + i * 8), b.get(I64, atB + i * 8)));
                }
            }
            case MAX -> {
                for (long i = start; i < count; i++) {
                    out.set(I64, at + i * 8, Math.max(a.get(I64, atA + i * 8), b.get(I64, atB + i * 8)));
                }
            }
            case BAND -> {
                for (long i = start; i < count; i++) {
                    out.set(I64, at + i * 8, a.get(I64, atA + i * 8) & b.get(I64, atB + i * 8));
                }
            }
            case BOR -> {
                for (long i = start; i < count; i++) {
                    out.set(I64, at + i * 8, a.get(I64, atA + i * 8) | b.get(I64, atB + i * 8));
                }
            }
        }
    }

    static void scaleFloat32From(long start, MemorySegment a, long at, long count, float factor) {
        for (long i = start; i < count; i++) {
            a.set(F32, at + i * 4, a.get(F32, at + i * 4) * factor);
        }
    }

    static void scaleFloat64(MemorySegment a, long at, long count, double factor) {
        for (long i = 0; i < count; i++) {
            a.set(F64, at + i * 8, a.get(F64, at + i * 8) * factor);
        }
    }

    /** Widens elements of a narrow type into the type they are accumulated in: float32 or int64. Exact. */
    static void widen(ElementType type, MemorySegment from, long at, MemorySegment wide, long count) {
        switch (type) {
            case FLOAT16 -> {
                for (long i = 0; i < count; i++) {
                    wide.set(F32, i * 4, Float.float16ToFloat(from.get(I16, at + i * 2)));
                }
            }
            case BFLOAT16 -> {
                for (long i = 0; i < count; i++) {
                    wide.set(I32, i * 4, from.get(I16, at + i * 2) << 16);
                }
            }
            case INT32 -> {
                for (long i = 0; i < count; i++) {
                    wide.set(I64, i * 8, (long) from.get(I32, at + i * 4));
                }
            }
            case UINT8 -> {
                for (long i = 0; i < count; i++) {
                    wide.set(I64, i * 8, from.get(ValueLayout.JAVA_BYTE, at + i) & 0xFFL);
                }
            }
            case FLOAT32, FLOAT64, INT64 -> throw new IllegalArgumentException(type + " is not widened");
        }
    }

    /** Rounds accumulated elements to their narrow type, once; an integer that does not fit is an error. */
    static void narrow(ElementType type, MemorySegment wide, MemorySegment to, long at, long count) {
        switch (type) {
            case FLOAT16 -> {
                for (long i = 0; i < count; i++) {
                    to.set(I16, at + i * 2, Float.floatToFloat16(wide.get(F32, i * 4)));
                }
            }
            case BFLOAT16 -> {
                for (long i = 0; i < count; i++) {
                    to.set(I16, at + i * 2, bfloat16(wide.get(I32, i * 4)));
                }
            }
            case INT32 -> {
                for (long i = 0; i < count; i++) {
                    to.set(I32, at + i * 4, Math.toIntExact(wide.get(I64, i * 8)));
                }
            }
            case UINT8 -> {
                for (long i = 0; i < count; i++) {
                    long value = wide.get(I64, i * 8);
                    if (value > 0xFF) {
                        throw new ArithmeticException("uint8 overflow");
                    }
                    to.set(ValueLayout.JAVA_BYTE, at + i, (byte) value);
                }
            }
            case FLOAT32, FLOAT64, INT64 -> throw new IllegalArgumentException(type + " is not narrowed");
        }
    }

    /** The bfloat16 nearest to a float32, ties to even; a NaN stays one and becomes quiet. */
    private static short bfloat16(int bits) {
        int rounded = (bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16;
        boolean nan = (bits & 0x7FFF_FFFF) > 0x7F80_0000;
        return (short) (nan ? (bits >>> 16) | 0x40 : rounded);
    }

    static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED;
    static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED;
    static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT_UNALIGNED;
}
