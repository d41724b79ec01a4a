package dev.slipstream.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CommandLineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "train --ranks 0|--ranks must be at least 1, but is 0",
                "train --ranks many|'--ranks': 'many' is not an int",
                "train --ranks 5 --batch 4|The global batch of 4 images has too few for 5 ranks",
                "train --batch 1501|The global batch of 1501 images is larger than the 1500 training images",
                "train --epochs 0|--epochs must be at least 1, but is 0",
                "train --engine gpu|Unknown engine 'gpu'; known are auto, cpu, tornado, emulator",
                "train --strategy best|Unknown strategy 'best'; known are auto, native, shared",
                "train --transport tcp|Unknown transport 'tcp'; known are auto, local, mpi, nccl",
                "train --compress zip|There is no compression 'zip'",
                "train --compress topk:2|above 0 and at most 1",
                "train --bucket-mb 0|bucketBytes must be at least 1, but is 0",
                "train --overlap maybe|'maybe'",
                "train --verify --compress fp16|--verify compares weights to rounding",
                "train --rank 4|Unknown options: '--rank'",
                "trian|Unmatched argument at index 0: 'trian'",
                "bench|Which benchmark?",
                "bench allreduce --min 2|There are no sizes",
                "bench allreduce --max 3x|'3x' is no size",
                "bench allreduce --op average --type int32|--op average is not defined for int32",
                "bench kernels --rounds 0|--rounds must be at least 1",
            })
    void wrongUsageIsOneSentenceAndAHint(String arguments, String sentence) {
        Console console = Console.run(arguments.split(" "));
        assertEquals(2, console.exitCode(), console.err());
        String[] lines = console.err().strip().split("\n");
        assertTrue(lines.length <= 2, console.err());
        assertTrue(lines[0].startsWith("slipstream: "), console.err());
        assertTrue(lines[0].contains(sentence), console.err());
        assertEquals("", console.out());
    }

    @Test
    void anUnreadableDataFileFails(@TempDir Path folder) {
        Console console =
                Console.run("train", "--data", folder.resolve("no.csv").toString());
        assertEquals(1, console.exitCode());
        assertTrue(console.err().contains("no.csv can't be read: there is no such file"), console.err());
        assertFalse(console.err().contains("\tat "), console.err());
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed(@TempDir Path folder) {
        String file = folder.resolve("no/such/folder.json").toString();
        Console console = Console.run("train", "--ranks", "1", "--epochs", "1", "--json", file);
        assertEquals(1, console.exitCode());
        assertTrue(console.err().contains("Could not write " + file), console.err());
    }

    private static Set<String> names(JsonNode node) {
        return new TreeSet<>(node.propertyNames());
    }

    /** Replicas end with the same bits, and with the weights of one rank: on an odd number of ranks, in several buckets. */
    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void trainingOnThreeRanksEqualsTrainingOnOne(String overlap, @TempDir Path folder) throws IOException {
        Path json = folder.resolve("train.json");
        Console console = Console.run(
                "train",
                "--ranks",
                "3",
                "--epochs",
                "3",
                "--overlap",
                overlap,
                "--bucket-mb",
                "0.05",
                "--verify",
                "--engine",
                "cpu",
                "--json",
                json.toString());
        assertEquals(0, console.exitCode(), console.err());
        assertTrue(console.out().contains("epoch 3/3"), console.out());
        assertTrue(console.out().contains("bit-identical on all 3 ranks"), console.out());
        JsonNode row = JsonMapper.shared().readTree(json);
        assertEquals(
                Set.of(
                        "ranks",
                        "transport",
                        "engine",
                        "strategy",
                        "compress",
                        "testAccuracy",
                        "weightsIdentical",
                        "stepsPerSecond",
                        "bytesSent",
                        "busGBps",
                        "overlapRatio",
                        "verifyMaxRelativeDifference"),
                names(row));
        assertTrue(row.get("verifyMaxRelativeDifference").asDouble() <= 1e-4);
        assertTrue(row.get("weightsIdentical").asBoolean());
        assertTrue(row.get("testAccuracy").asDouble() > 0.5);
        // 3 epochs of 24 steps, 2(n-1)/n times the gradients' bytes in each.
        long gradientBytes = 4L * (64 * 256 + 256 + 256 * 128 + 128 + 128 * 10 + 10);
        assertEquals(3 * 24 * gradientBytes * 4 / 3, row.get("bytesSent").asLong(), 3 * 24 * 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fp16", "bf16", "topk:0.1"})
    void trainingWithCompressionLearnsAndStaysIdentical(String compress) {
        Console console =
                Console.run("train", "--ranks", "2", "--epochs", "8", "--compress", compress, "--engine", "cpu");
        assertEquals(0, console.exitCode(), console.err());
        assertTrue(console.out().contains("bit-identical on all 2 ranks"), console.out());
        String accuracy = console.out().replaceAll("(?s).*test accuracy +([0-9.]+)\nweights.*", "$1");
        assertTrue(Double.parseDouble(accuracy) > 0.8, console.out());
    }

    @Test
    void allReduceIsMeasuredAndRight(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("allreduce.json");
        Console console = Console.run(
                "bench",
                "allreduce",
                "--ranks",
                "3",
                "--strategy",
                "auto,shared",
                "--min",
                "4",
                "--max",
                "64K",
                "--factor",
                "128",
                "--json",
                json.toString());
        assertEquals(0, console.exitCode(), console.err());
        JsonNode rows = JsonMapper.shared().readTree(json);
        assertEquals(6, rows.size());
        assertTrue(console.out().contains("# busbw in place"), console.out());
        for (JsonNode row : rows) {
            assertTrue(names(row)
                    .containsAll(Set.of(
                            "bench",
                            "transport",
                            "strategy",
                            "ranks",
                            "bytes",
                            "type",
                            "op",
                            "microsMedian",
                            "algGBps",
                            "busGBps",
                            "wrong",
                            "outOfPlaceMicrosMedian",
                            "outOfPlaceAlgGBps",
                            "outOfPlaceBusGBps",
                            "outOfPlaceWrong")));
            assertEquals(0, row.get("wrong").asLong());
            assertEquals(0, row.get("outOfPlaceWrong").asLong());
            assertEquals(
                    row.get("algGBps").asDouble() * 4 / 3, row.get("busGBps").asDouble(), 1e-9);
        }
    }

    @Test
    void doctorNamesWhatItLookedFor() {
        Console console = Console.run("doctor");
        assertEquals(0, console.exitCode());
        for (String part : new String[] {"JDK", "Vector API", "TornadoVM", "mpirun", "NCCL"}) {
            assertTrue(console.out().contains(part), console.out());
        }
    }
}
