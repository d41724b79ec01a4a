package dev.slipstream.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class OverlapConfigTest {
    private static String rejection(UnaryOperator<OverlapConfig.Builder> change) {
        OverlapConfig.Builder builder = change.apply(OverlapConfig.builder());
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, builder::build).getMessage());
    }

    @Test
    void theDefaultsAreThoseOfTheDesign() {
        OverlapConfig config = OverlapConfig.defaults();
        assertTrue(config.enabled());
        assertEquals(25L << 20, config.bucketBytes());
        assertEquals(1L << 20, config.firstBucketBytes());
        assertEquals(2, config.maxConcurrentOps());
        assertFalse(config.priorityScheduling());
        assertEquals(1000, config.minTensorElements());
        assertTrue(config.dedicatedCommThread());
        assertFalse(config.doubleBuffering());
        assertFalse(config.autoTune());
        assertEquals(1L << 20, config.minBucketBytes());
        assertEquals(256L << 20, config.maxBucketBytes());
        assertEquals(0.8, config.targetOverlapRatio());
        assertEquals(10, config.autoTuneWarmup());
        assertEquals(Duration.ofMinutes(5), config.communicationTimeout());
        assertEquals(Compression.none(), config.compression());
    }

    @Test
    void presets() {
        assertEquals(50L << 20, OverlapConfig.highBandwidth().bucketBytes());
        assertEquals(4, OverlapConfig.highBandwidth().maxConcurrentOps());
        assertEquals(5L << 20, OverlapConfig.lowLatency().bucketBytes());
        assertEquals(8, OverlapConfig.lowLatency().maxConcurrentOps());
        assertEquals(
                "autoTune is not supported yet; leave it false.",
                assertThrows(IllegalArgumentException.class, OverlapConfig::autoTuned)
                        .getMessage());
    }

    @Test
    void aSmallBucketMakesTheFirstOneSmallToo() {
        assertEquals(1000, OverlapConfig.builder().bucketBytes(1000).build().firstBucketBytes());
    }

    @Test
    void everyWrongSettingIsNamed() {
        assertEquals("bucketBytes must be at least 1, but is 0.", rejection(b -> b.bucketBytes(0)));
        assertEquals(
                "firstBucketBytes must be at most bucketBytes, but is 11 above 10.",
                rejection(b -> b.bucketBytes(10).firstBucketBytes(11)));
        assertEquals("firstBucketBytes must be at least 1, but is -1.", rejection(b -> b.firstBucketBytes(-1)));
        assertEquals("maxConcurrentOps must be at least 1, but is 0.", rejection(b -> b.maxConcurrentOps(0)));
        assertEquals("minTensorElements must be at least 0, but is -1.", rejection(b -> b.minTensorElements(-1)));
        assertEquals(
                "communicationTimeout must be positive, but is PT0S; the default is PT5M.",
                rejection(b -> b.communicationTimeout(Duration.ZERO)));
        assertEquals(
                "bucketBytes must be at least 1, but is 0. maxConcurrentOps must be at least 1, but is 0.",
                rejection(b -> b.bucketBytes(0).maxConcurrentOps(0)));
    }

    @Test
    void whatNothingReadsYetIsRejected() {
        for (UnaryOperator<OverlapConfig.Builder> change : List.<UnaryOperator<OverlapConfig.Builder>>of(
                b -> b.priorityScheduling(true),
                b -> b.doubleBuffering(true),
                b -> b.autoTune(true),
                b -> b.minBucketBytes(1),
                b -> b.maxBucketBytes(1),
                b -> b.targetOverlapRatio(0.5),
                b -> b.autoTuneWarmup(0))) {
            assertTrue(rejection(change).contains("not supported yet"));
        }
    }

    @Test
    void toBuilderKeepsEverySetting() {
        OverlapConfig config = OverlapConfig.builder()
                .enabled(false)
                .bucketBytes(100)
                .firstBucketBytes(10)
                .maxConcurrentOps(3)
                .minTensorElements(7)
                .dedicatedCommThread(false)
                .communicationTimeout(Duration.ofSeconds(9))
                .compression(new Compression.TopK(0.5))
                .build();
        OverlapConfig copy = config.toBuilder().build();
        assertEquals(config.toString(), copy.toString());
        assertEquals(config.minTensorElements(), copy.minTensorElements());
        assertEquals(config.dedicatedCommThread(), copy.dedicatedCommThread());
        assertEquals(config.communicationTimeout(), copy.communicationTimeout());
    }
}
