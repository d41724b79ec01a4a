package dev.slipstream.bench;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reduces numbers whose result every rank can work out for itself, small enough for every type to hold exactly. */
final class Verification {
    private static final int MODULUS = 13;

    private Verification() {}

    /**
     * How many elements, of all ranks, differ from what they should be.
     *
     * @param receive gets the result; {@code send} itself for an all-reduce in place
     */
    static long wrong(
            Communicator communicator,
            MemorySegment send,
            MemorySegment receive,
            ElementType type,
            Reduction reduction) {
        long count = send.byteSize() / type.bytes();
        for (long i = 0; i < count; i++) {
            set(send, type, i, value(communicator.rank(), i));
        }
        communicator.allReduce(send, receive, type, reduction);
        long wrong = 0;
        for (long i = 0; i < count; i++) {
            double expected = expected(communicator.size(), i, reduction);
            // The mean is a multiple of 1/n, which the factor 1/n in float32 and a 16-bit result only approach.
            double tolerance = reduction == Reduction.AVERAGE ? expected * (type.bytes() == 2 ? 1 / 128.0 : 1e-6) : 0;
            if (!(Math.abs(get(receive, type, i) - expected) <= tolerance)) {
                wrong++;
            }
        }
        MemorySegment sum = communicator.allocate(Long.BYTES);
        sum.set(ValueLayout.JAVA_LONG, 0, wrong);
        communicator.allReduce(sum, ElementType.INT64, Reduction.SUM);
        return sum.get(ValueLayout.JAVA_LONG, 0);
    }

    private static int value(int rank, long i) {
        return (int) ((i + 5L * rank) % MODULUS);
    }

    private static double expected(int ranks, long i, Reduction reduction) {
        long result = value(0, i);
        for (int rank = 1; rank < ranks; rank++) {
            int next = value(rank, i);
            result = switch (reduction) {
                case SUM, AVERAGE -> result + next;
                case MIN -> Math.min(result, next);
                case MAX -> Math.max(result, next);
                case BAND -> result & next;
                case BOR -> result | next;
            };
        }
        return reduction == Reduction.AVERAGE ? (double) result / ranks : result;
    }

    private static void set(MemorySegment buffer, ElementType type, long i, int value) {
        switch (type) {
            case FLOAT32 -> buffer.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
            case FLOAT64 -> buffer.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
            case FLOAT16 -> buffer.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(value));
            case BFLOAT16 ->
                buffer.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (Float.floatToRawIntBits(value) >>> 16));
            case INT32 -> buffer.setAtIndex(ValueLayout.JAVA_INT, i, value);
            case INT64 -> buffer.setAtIndex(ValueLayout.JAVA_LONG, i, value);
            case UINT8 -> buffer.set(ValueLayout.JAVA_BYTE, i, (byte) value);
        }
    }

    private static double get(MemorySegment buffer, ElementType type, long i) {
        return switch (type) {
            case FLOAT32 -> buffer.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            case FLOAT64 -> buffer.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            case FLOAT16 -> Float.float16ToFloat(buffer.getAtIndex(ValueLayout.JAVA_SHORT, i));
            case BFLOAT16 -> Float.intBitsToFloat(buffer.getAtIndex(ValueLayout.JAVA_SHORT, i) << 16);
            case INT32 -> buffer.getAtIndex(ValueLayout.JAVA_INT, i);
            case INT64 -> buffer.getAtIndex(ValueLayout.JAVA_LONG, i);
            case UINT8 -> buffer.get(ValueLayout.JAVA_BYTE, i) & 0xff;
        };
    }
}
