package dev.slipstream.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@MethodSource("dev.slipstream.kernels.Engines#all")
record AveragingKernelsTest(Engines engines) {
    @ParameterizedTest
    @MethodSource("dev.slipstream.kernels.Inputs#all")
    void scaleMultipliesEveryElementInFloat32(Inputs input) {
        try (KernelEngine engine = engines.open()) {
            KernelBuffer buffer = Inputs.buffer(engine, input.values());
            ScaleKernel scale = engine.scale(buffer, input.values().length);
            scale.run(1f / 3);
            scale.run(0.3f);
            float[] expected = input.values().clone();
            for (int i = 0; i < expected.length; i++) {
                expected[i] = expected[i] * (1f / 3) * 0.3f;
            }
            assertArrayEquals(Inputs.bits(expected), Inputs.bits(buffer.payload(), true));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8})
    void sumAddsInListOrderAndScales(int replicas) {
        for (int size : new int[] {0, 1, 7, 255, 256, 257, 65_537, Inputs.LARGE}) {
            try (KernelEngine engine = engines.open()) {
                List<KernelBuffer> buffers = new ArrayList<>();
                float[] expected = new float[size];
                for (int replica = 0; replica < replicas; replica++) {
                    float[] values = Inputs.random(size, replica);
                    buffers.add(Inputs.buffer(engine, values));
                    for (int i = 0; i < size; i++) {
                        expected[i] = replica == 0 ? values[i] : expected[i] + values[i];
                    }
                }
                for (int i = 0; i < size; i++) {
                    expected[i] *= 1f / replicas;
                }
                // The target is one of the replicas: none may be overwritten before it is read.
                KernelBuffer target = buffers.get(replicas - 1);
                engine.sum(buffers, target, size).run(1f / replicas);
                assertArrayEquals(Inputs.bits(expected), Inputs.bits(target.payload(), true), "size " + size);
            }
        }
    }

    @org.junit.jupiter.api.Test
    void wrongArgumentsAreNamed() {
        try (KernelEngine engine = engines.open()) {
            KernelBuffer small = engine.allocate(40);
            assertSays("holds 40 bytes, too few for 11 elements", () -> engine.scale(small, 11));
            assertSays("not on -1", () -> engine.scale(small, -1));
            assertSays("1 to 8 replicas, but was given 0", () -> engine.sum(List.of(), small, 1));
            assertSays(
                    "1 to 8 replicas, but was given 9",
                    () -> engine.sum(java.util.Collections.nCopies(9, small), small, 1));
            assertSays("Replica 1 holds 40 bytes", () -> engine.sum(List.of(engine.allocate(80), small), small, 20));
            assertSays("is native memory", () -> engine.wrap(java.lang.foreign.MemorySegment.ofArray(new float[100])));
        }
    }

    private static void assertSays(String part, org.junit.jupiter.api.function.Executable call) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, call);
        assertTrue(String.valueOf(thrown.getMessage()).contains(part), thrown::getMessage);
    }
}
