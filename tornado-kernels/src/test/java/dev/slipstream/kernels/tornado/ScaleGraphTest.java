package dev.slipstream.kernels.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.slipstream.emulator.Emulator;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

class ScaleGraphTest {
    private static final float[] SPECIAL = {
        Float.NaN,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        -0.0f,
        Float.MIN_VALUE,
        -3 * Float.MIN_VALUE,
        Float.MAX_VALUE
    };

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 255, 256, 257, 65_537})
    void scalesInPlaceEveryTime(int elements) {
        Random random = new Random(elements);
        float[] expected = new float[elements];
        for (int i = 0; i < elements; i++) {
            expected[i] = i < SPECIAL.length ? SPECIAL[i] : (float) random.nextGaussian();
        }
        FloatArray values = FloatArray.fromArray(expected);
        try (ScaleGraph graph = new ScaleGraph(values, Emulator.runtime().getDefaultDevice())) {
            for (float factor : new float[] {1f / 3, 0.25f, -2f}) {
                graph.run(factor);
                for (int i = 0; i < elements; i++) {
                    expected[i] *= factor;
                }
                // The host's values count: the next step's gradients arrive there.
                for (int i = 0; i < elements; i++) {
                    assertEquals(expected[i], values.get(i), "element " + i + " times " + factor);
                }
            }
        }
    }
}
