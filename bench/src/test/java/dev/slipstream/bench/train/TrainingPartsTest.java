package dev.slipstream.bench.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.bench.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingPartsTest {
    @Test
    void theBundledDigitsAreTheUciSet() {
        DigitsData data = DigitsData.read(Optional.empty());
        assertEquals(1797, data.count());
        assertEquals(1500, data.training().count());
        assertEquals(297, data.testing().count());
        // The first line of the file begins 0,0,5,13,9 and ends with the label 0.
        assertArrayEquals(new float[] {0, 0, 5 / 16f, 13 / 16f, 9 / 16f}, Arrays.copyOf(data.pixels(), 5));
        assertEquals(0, data.labels()[0]);
        assertEquals(data.labels()[1500], data.testing().labels()[0]);
        int[] classes = new int[10];
        for (byte label : data.labels()) {
            classes[label]++;
        }
        assertArrayEquals(new int[] {178, 182, 177, 183, 181, 182, 181, 179, 174, 180}, classes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1,2,3|line 1 has 3 cells instead of 65",
                "x|line 1 has 1 cells instead of 65",
                "''|it holds 0 images",
            })
    void aFileThatIsNoneIsNamedWithItsLine(String content, String reason, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("digits.csv");
        Files.writeString(file, content);
        CommandException thrown = assertThrows(CommandException.class, () -> DigitsData.read(Optional.of(file)));
        assertTrue(String.valueOf(thrown.getMessage()).contains(file + " can't be read: " + reason), thrown::toString);
    }

    @Test
    void aNumberOutOfRangeIsNamed(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("digits.csv");
        Files.writeString(file, "0,".repeat(63) + "17,3\n");
        CommandException thrown = assertThrows(CommandException.class, () -> DigitsData.read(Optional.of(file)));
        assertTrue(String.valueOf(thrown.getMessage()).contains("line 1 has '17' where a number from 0 to 16"));
        CommandException missing =
                assertThrows(CommandException.class, () -> DigitsData.read(Optional.of(folder.resolve("nowhere.csv"))));
        assertTrue(String.valueOf(missing.getMessage()).contains("nowhere.csv can't be read: there is no such file"));
    }

    /** The gradients against central differences of the loss. */
    @Test
    void backwardIsTheDerivativeOfForward() {
        DigitsData data = DigitsData.read(Optional.empty());
        Network network = new Network(new int[] {64, 7, 5, 10}, 3, 4);
        int[] images = {10, 20, 30};
        boolean[] seen = new boolean[6];
        network.forward(data::read, data.labels(), images, 0, 3);
        int[] order = new int[6];
        int[] n = {0};
        network.backward(data.labels(), images, 0, 3, 1f, (parameter, gradient) -> {
            seen[parameter] = true;
            order[n[0]++] = parameter;
        });
        assertArrayEquals(new int[] {5, 4, 3, 2, 1, 0}, order, "the last layer first");
        for (int parameter = 0; parameter < 6; parameter++) {
            assertTrue(seen[parameter]);
            float[] weights = network.weights()[parameter];
            float[] gradient = network.gradients()[parameter].clone();
            for (int i = 0; i < weights.length; i += 1 + weights.length / 9) {
                float kept = weights[i];
                weights[i] = kept + 1e-2f;
                double above = network.forward(data::read, data.labels(), images, 0, 3);
                weights[i] = kept - 1e-2f;
                double below = network.forward(data::read, data.labels(), images, 0, 3);
                weights[i] = kept;
                assertEquals((above - below) / 2e-2, gradient[i], 2e-3 * (1 + Math.abs(gradient[i])));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7})
    void everyImageIsSeenOnceInAnEpochByExactlyOneRank(int ranks) {
        Batches batches = new Batches(103, 10, 9);
        int[] order = batches.order(2);
        assertArrayEquals(
                IntStream.range(0, 103).toArray(), Arrays.stream(order).sorted().toArray());
        int[] seen = new int[103];
        for (int step = 0; step < batches.perEpoch(); step++) {
            int images = 0;
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = batches.start(step, rank, ranks); i < batches.start(step, rank + 1, ranks); i++) {
                    seen[order[i]]++;
                    images++;
                }
            }
            assertEquals(batches.size(step), images);
        }
        for (int count : seen) {
            assertEquals(1, count);
        }
        assertNotEquals(Arrays.toString(order), Arrays.toString(batches.order(3)));
    }

    @Test
    void anImageBecomesTheSameOnEveryRankAndAnotherInEveryEpoch() {
        DigitsData data = DigitsData.read(Optional.empty());
        float[] here = new float[64];
        float[] there = new float[128];
        new Augmentation(3).apply(data, 5, 1, here, 0);
        new Augmentation(3).apply(data, 5, 1, there, 64);
        assertArrayEquals(here, Arrays.copyOfRange(there, 64, 128));
        new Augmentation(3).apply(data, 5, 2, there, 64);
        assertNotEquals(Arrays.toString(here), Arrays.toString(Arrays.copyOfRange(there, 64, 128)));
    }
}
