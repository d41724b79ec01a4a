package dev.slipstream.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.slipstream.collectives.ElementType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ParameterTest {
    @Test
    void countsElementsAndBytes() {
        assertEquals(2048, Parameter.float32("w", 64, 32).elements());
        assertEquals(8192, Parameter.float32("w", 64 * 32).bytes());
        assertEquals(0, Parameter.float32("w", 10, 0).elements());
        assertEquals(0, Parameter.float32("w", 1L << 62, 1L << 62, 0).bytes());
        assertEquals(1, Parameter.float64("scale").elements());
        assertEquals(1L << 62, Parameter.of("w", ElementType.FLOAT16, 1L << 61).bytes());
    }

    @Test
    void wrongOnesAreNamed() {
        assertEquals(
                "A parameter has a blank name; every parameter needs one of its own.",
                message(() -> Parameter.float32(" ", 1)));
        assertEquals(
                "Parameter 'ids' has the type INT32, which has no average; gradients are floating.",
                message(() -> Parameter.of("ids", ElementType.INT32, 1)));
        assertEquals(
                "Parameter 'w' has the shape 3x-1; 0 is the least extent.",
                message(() -> Parameter.float32("w", 3, -1)));
        assertEquals(
                "Parameter 'w' has the shape 4294967296x4294967296, which has more bytes than a long counts.",
                message(() -> Parameter.float32("w", 1L << 32, 1L << 32)));
        assertEquals(
                "Parameter 'w' has the shape 2305843009213693952, which has more bytes than a long counts.",
                message(() -> Parameter.float32("w", 1L << 61)));
    }

    private static String message(Executable body) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, body).getMessage());
    }
}
