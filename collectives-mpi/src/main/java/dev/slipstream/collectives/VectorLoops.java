package dev.slipstream.collectives;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The floating loops with the Vector API. Only loaded where the module jdk.incubator.vector is there. Operators are
 * written out per loop: HotSpot only compiles an operator to one instruction when it is a constant.
 */
final class VectorLoops extends Loops {
    private static final VectorSpecies<Float> F = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> D = DoubleVector.SPECIES_PREFERRED;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    @Override
    void float32(
            Reduction op,
            MemorySegment a,
            long atA,
            MemorySegment b,
            long atB,
            MemorySegment out,
            long at,
            long count) {
        long bound = F.loopBound(count);
        int step = F.length();
        switch (op) {
            case SUM, AVERAGE -> {
                for (long i = 0; i < bound; i += step) {
                    float32At(a, atA + i * 4).add(float32At(b, atB + i * 4)).intoMemorySegment(out, at + i * 4, ORDER);
                }
            }
            case MIN -> {
                for (long i = 0; i < bound; i += step) {
                    float32At(a, atA + i * 4).min(float32At(b, atB + i * 4)).intoMemorySegment(out, at + i * 4, ORDER);
                }
            }
            case MAX -> {
                for (long i = 0; i < bound; i += step) {
                    float32At(a, atA + i * 4).max(float32At(b, atB + i * 4)).intoMemorySegment(out, at + i * 4, ORDER);
                }
            }
            case BAND, BOR -> throw new IllegalArgumentException(op + " of floating elements");
        }
        float32From(bound, op, a, atA, b, atB, out, at, count);
    }

    @Override
    void float64(
            Reduction op,
            MemorySegment a,
            long atA,
            MemorySegment b,
            long atB,
            MemorySegment out,
            long at,
            long count) {
        long bound = D.loopBound(count);
        int step = D.length();
        switch (op) {
            case SUM, AVERAGE -> {
                for (long i = 0; i < bound; i += step) {
                    float64At(a, atA + i * 8).add(float64At(b, atB + i * 8)).intoMemorySegment(out, at + i * 8, ORDER);
                }
            }
            case MIN -> {
                for (long i = 0; i < bound; i += step) {
                    float64At(a, atA + i * 8).min(float64At(b, atB + i * 8)).intoMemorySegment(out, at + i * 8, ORDER);
                }
            }
            case MAX -> {
                for (long i = 0; i < bound; i += step) {
                    float64At(a, atA + i * 8).max(float64At(b, atB + i * 8)).intoMemorySegment(out, at + i * 8, ORDER);
                }
            }
            case BAND, BOR -> throw new IllegalArgumentException(op + " of floating elements");
        }
        float64From(bound, op, a, atA, b, atB, out, at, count);
    }

    @Override
    void scaleFloat32(MemorySegment a, long at, long count, float factor) {
        long bound = F.loopBound(count);
        for (long i = 0; i < bound; i += F.length()) {
            float32At(a, at + i * 4).mul(factor).intoMemorySegment(a, at + i * 4, ORDER);
        }
        scaleFloat32From(bound, a, at, count, factor);
    }

    private static FloatVector float32At(MemorySegment segment, long at) {
        return FloatVector.fromMemorySegment(F, segment, at, ORDER);
    }

    private static DoubleVector float64At(MemorySegment segment, long at) {
        return DoubleVector.fromMemorySegment(D, segment, at, ORDER);
    }
}
