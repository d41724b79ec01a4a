package dev.slipstream.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CompressionTest {
    private static String rejection(String text) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> Compression.parse(text))
                .getMessage());
    }

    @Test
    void readsWhatItWrites() {
        for (String text : new String[] {"none", "fp16", "bf16", "topk:0.01", "topk:1.0"}) {
            assertEquals(text, Compression.parse(text).toString());
        }
    }

    @Test
    void wrongTextsAreNamed() {
        assertEquals(
                "There is no compression 'zip'; the choices are none, fp16, bf16 and topk:RATIO.", rejection("zip"));
        assertEquals(
                "The compression 'dgc' is not supported yet; the choices are none, fp16, bf16 and topk:RATIO.",
                rejection("dgc:0.01"));
        assertEquals("The compression 'topk' needs a ratio, as in topk:0.01.", rejection("topk"));
        assertEquals(
                "The ratio in the compression 'topk:x' is no number; write it as in topk:0.01.", rejection("topk:x"));
        assertEquals("The top-k ratio must be above 0 and at most 1, but is 0.0.", rejection("topk:0"));
        assertEquals("The top-k ratio must be above 0 and at most 1, but is NaN.", rejection("topk:NaN"));
        assertEquals("The compression 'fp16' takes no ratio, but was given '2'.", rejection("fp16:2"));
    }
}
