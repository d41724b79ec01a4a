package dev.slipstream.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompareCommandTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void shareTheMachine() {
        // JMH refuses to run beside another JMH; this one only has to run, not to measure.
        System.setProperty("jmh.ignoreLock", "true");
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static String row(String strategy, long bytes, double micros, int wrong) {
        return """
                {"bench":"allreduce","strategy":"%s","ranks":2,"bytes":%d,"microsMedian":%s,"busGBps":%s,"wrong":%d,"ratio":null}
                """.formatted(strategy, bytes, micros, bytes / micros / 1e3, wrong);
    }

    private static String array(String... rows) {
        return "[" + String.join(",", rows) + "]";
    }

    @Test
    void rowsArePairedByWhatTheyMeasure() throws IOException {
        String a = file("a.json", array(row("ring", 4096, 10, 0), row("tree", 4096, 20, 0), row("tree", 8, 1, 0)));
        String b = file("b.json", array(row("tree", 4096, 10, 0), row("ring", 4096, 10.5, 0)));
        String json = folder.resolve("c.json").toString();
        Console console = Console.run("bench", "compare", a, b, "--json", json);
        assertEquals(0, console.exitCode(), console.err());
        assertTrue(console.out().contains("only in " + a + ": allreduce strategy=tree ranks=2 bytes=8"), console.out());
        JsonNode pairs = JsonMapper.shared().readTree(Path.of(json));
        assertEquals(2, pairs.size());
        assertEquals(10 / 10.5, pairs.get(0).get("ratio").asDouble(), 1e-12);
        assertEquals(2, pairs.get(1).get("ratio").asDouble(), 1e-12);
        assertEquals("microsMedian", pairs.get(1).get("metric").asString());
        assertTrue(console.out().contains("geometric mean of 2 ratios: 1.38"), console.out());
    }

    @Test
    void aRegressionBeyondTheThresholdFails() throws IOException {
        String a = file("a.json", array(row("ring", 4096, 10, 0), row("tree", 4096, 20, 0)));
        String b = file("b.json", array(row("ring", 4096, 12, 0), row("tree", 4096, 20, 0)));
        Console console = Console.run("bench", "compare", a, b);
        assertEquals(1, console.exitCode(), console.out());
        assertTrue(console.err().contains("1 of 2 rows are worse by more than 10 %"), console.err());
        assertEquals(
                0, Console.run("bench", "compare", a, b, "--threshold", "0.2").exitCode());
        assertEquals(0, Console.run("bench", "compare", b, a).exitCode());
    }

    @Test
    void moreOfABandwidthIsBetter() throws IOException {
        String a = file("a.json", array(row("ring", 4096, 10, 0)));
        String b = file("b.json", array(row("ring", 4096, 12, 0)));
        assertEquals(
                1, Console.run("bench", "compare", a, b, "--metric", "busGBps").exitCode());
        assertEquals(
                0, Console.run("bench", "compare", b, a, "--metric", "busGBps").exitCode());
    }

    @Test
    void wrongElementsAreWorseHoweverFast() throws IOException {
        String a = file("a.json", array(row("ring", 4096, 10, 0)));
        String b = file("b.json", array(row("ring", 4096, 1, 3)));
        assertEquals(1, Console.run("bench", "compare", a, b).exitCode());
    }

    @Test
    void repeatedRowsCountWithTheirMedian() throws IOException {
        String a = file("a.json", array(row("ring", 4096, 10, 0)));
        String b = file("b.json", array(row("ring", 4096, 9, 0), row("ring", 4096, 900, 0), row("ring", 4096, 10, 0)));
        Console console = Console.run("bench", "compare", a, b, "--threshold", "0");
        assertEquals(0, console.exitCode(), console.out());
        assertTrue(console.out().contains(" 1.00"), console.out());
    }

    @Test
    void filesThatCannotBeComparedAreWrongUsage() throws IOException {
        String a = file("a.json", array(row("ring", 4096, 10, 0)));
        String b = file("b.json", array(row("ring", 8192, 10, 0)));
        assertSays("have no row in common", a, b);
        assertSays("can't be read", a, folder.resolve("no.json").toString());
        assertSays("is no JSON", file("text.json", "size time"), b);
        assertSays("holds something that is no row", file("numbers.json", "[1, 2]"), b);
    }

    private static void assertSays(String sentence, String a, String b) {
        Console console = Console.run("bench", "compare", a, b);
        assertEquals(2, console.exitCode(), console.out());
        assertTrue(console.err().contains(sentence), console.err());
    }

    @Test
    void jmhRunsAndItsResultsCompare() throws IOException {
        String json = folder.resolve("jmh.json").toString();
        Console console = Console.run(
                "bench", "jmh", "SynchronizerStep.*gradient", "--quick", "-p", "elements=1", "--json", json);
        assertEquals(0, console.exitCode(), console.err());
        Console compared = Console.run("bench", "compare", json, json);
        assertEquals(0, compared.exitCode(), compared.err());
        assertTrue(compared.out().contains("SynchronizerStepBenchmark.gradient elements=1 mode=avgt"), compared.out());
    }

    @Test
    void jmhNamesItsBenchmarks() {
        Console console = Console.run("bench", "jmh", "LocalAllReduce", "--list");
        assertEquals("dev.slipstream.bench.jmh.LocalAllReduceBenchmark.allReduce\n", console.out());
        Console none = Console.run("bench", "jmh", "nothing-of-this-name");
        assertEquals(2, none.exitCode());
        assertTrue(none.err().contains("No benchmark matches"), none.err());
    }
}
