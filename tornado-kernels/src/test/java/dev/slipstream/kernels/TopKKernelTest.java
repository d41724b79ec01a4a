package dev.slipstream.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("dev.slipstream.kernels.Engines#all")
record TopKKernelTest(Engines engines) {
    /** Indices by magnitude, largest first: NaN before infinity, ties by lower index; a full sort. */
    private static int[] sorted(float[] values) {
        long[] keys = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            // A NaN's magnitude sorts above infinity in Float.compare's total order too.
            int magnitude = Float.isNaN(values[i]) ? Integer.MAX_VALUE : Float.floatToRawIntBits(Math.abs(values[i]));
            keys[i] = (long) (Integer.MAX_VALUE - magnitude) << 32 | i;
        }
        Arrays.sort(keys);
        return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
    }

    @ParameterizedTest
    @MethodSource("dev.slipstream.kernels.Inputs#all")
    void selectsWhatAFullSortPutsFirst(Inputs input) {
        float[] gradient = input.values();
        int n = gradient.length;
        float[] sum = new float[n];
        float[] residual = Inputs.random(n, 99);
        Arrays.fill(residual, 0, n / 2, 0f); // so that ties and zeros of the input stay such
        for (int i = 0; i < n; i++) {
            sum[i] = gradient[i] + residual[i];
        }
        int[] order = sorted(sum);
        Set<Integer> ks = new TreeSet<>();
        for (int k : new int[] {0, 1, 2, n / 100, n / 2, n - 1, n}) {
            if (k >= 0 && k <= n) {
                ks.add(k);
            }
        }
        try (KernelEngine engine = engines.open()) {
            KernelBuffer gradientBuffer = Inputs.buffer(engine, gradient);
            KernelBuffer residualBuffer = Inputs.buffer(engine, residual);
            TopKKernel topK = engine.topK(gradientBuffer, residualBuffer, n, n);
            for (int k : ks) {
                residualBuffer.payload().copyFrom(Inputs.heap(residual));
                topK.loadResidual();
                topK.run(k);
                topK.storeResidual();
                int[] expected = Arrays.copyOf(order, k);
                Arrays.sort(expected);
                assertArrayEquals(expected, topK.indices().toArray(ValueLayout.JAVA_INT), "indices of k " + k);
                float[] left = sum.clone();
                float[] chosen = new float[k];
                for (int i = 0; i < k; i++) {
                    chosen[i] = sum[expected[i]];
                    left[expected[i]] = 0f;
                }
                assertArrayEquals(Inputs.bits(chosen), Inputs.bits(topK.values(), true), "values of k " + k);
                assertArrayEquals(Inputs.bits(left), Inputs.bits(residualBuffer.payload(), true), "residual of k " + k);
                assertArrayEquals(Inputs.bits(gradient), Inputs.bits(gradientBuffer.payload(), true), "gradient");
            }
        }
    }

    /** What was sent and what remains add up to gradient plus old residual, bit for bit, step after step. */
    @Test
    void nothingIsLostOverManySteps() {
        int n = 70_001;
        int k = 700;
        float[] expected = new float[n];
        try (KernelEngine engine = engines.open()) {
            KernelBuffer gradient = engine.allocate(n * 4L);
            KernelBuffer residual = engine.allocate(n * 4L);
            TopKKernel topK = engine.topK(gradient, residual, n, k);
            for (int step = 0; step < 10; step++) {
                float[] values = Inputs.random(n, step);
                gradient.payload().copyFrom(Inputs.heap(values));
                for (int i = 0; i < n; i++) {
                    expected[i] += values[i];
                }
                topK.run(k);
                int[] indices = topK.indices().toArray(ValueLayout.JAVA_INT);
                float[] sent = topK.values().toArray(ValueLayout.JAVA_FLOAT);
                for (int i = 0; i < k; i++) {
                    assertEquals(expected[indices[i]], sent[i]);
                    expected[indices[i]] = 0f;
                }
                topK.storeResidual();
                assertArrayEquals(Inputs.bits(expected), Inputs.bits(residual.payload(), true), "step " + step);
            }
        }
    }

    @Test
    void kOutsideItsBoundsIsNamed() {
        try (KernelEngine engine = engines.open()) {
            KernelBuffer buffer = engine.allocate(40);
            KernelBuffer residual = engine.allocate(40);
            assertThrows(IllegalArgumentException.class, () -> engine.topK(buffer, residual, 10, 11));
            assertThrows(IllegalArgumentException.class, () -> engine.topK(buffer, residual, 10, -1));
            TopKKernel topK = engine.topK(buffer, residual, 10, 4);
            assertThrows(IllegalArgumentException.class, () -> topK.run(5));
            assertThrows(IllegalArgumentException.class, () -> topK.run(-1));
        }
    }

    @Test
    void kFromARatioIsAtLeastOne() {
        assertEquals(1, TopKKernel.count(0.001, 7));
        assertEquals(0, TopKKernel.count(0.5, 0));
        assertEquals(7, TopKKernel.count(1.0, 7));
        assertEquals(10, TopKKernel.count(0.01, 1000));
        assertThrows(IllegalArgumentException.class, () -> TopKKernel.count(0, 7));
        assertThrows(IllegalArgumentException.class, () -> TopKKernel.count(1.5, 7));
        assertThrows(IllegalArgumentException.class, () -> TopKKernel.count(Double.NaN, 7));
    }
}
