package dev.slipstream.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One row of a file that {@code --json} wrote: what was measured (the key), and the measurements. The fields' names tell
 * them apart, so that new benchmarks need no change here.
 *
 * @param measured the numbers; the values of all rows of the same key
 */
record MeasuredRow(String bench, String key, Map<String, List<Double>> measured) {
    /** Numbers that say what was measured. */
    private static final Set<String> KEY_NUMBERS = Set.of(
            "ranks", "bytes", "elements", "threads", "linkGbps", "linkMicros", "bucketMB", "k", "density", "hosts");

    /** What is compared when the user does not say: the first of these that a row has. */
    private static final List<String> MAIN_METRICS =
            List.of("microsMedian", "stepMillis", "stepsPerSecond", "score", "micros", "millis");

    /**
     * Reads an array of rows, a single row, or JMH's own format; by key, in the file's order.
     *
     * @throws CommandException when the file can't be read or holds something else
     */
    static Map<String, MeasuredRow> read(Path file) {
        if (!Files.isReadable(file)) {
            throw CommandException.usage(
                    file + " can't be read.", "bench allreduce --json FILE writes such a file, as do the others");
        }
        JsonNode root;
        try {
            root = JsonMapper.shared().readTree(file);
        } catch (JacksonException e) {
            throw CommandException.usage(file + " is no JSON: " + e.getOriginalMessage(), "write it with --json");
        }
        Map<String, MeasuredRow> rows = new LinkedHashMap<>();
        List<JsonNode> nodes = new ArrayList<>();
        (root.isArray() ? root : List.of(root)).forEach(nodes::add);
        for (JsonNode node : nodes) {
            if (!node.isObject()) {
                throw CommandException.usage(file + " holds something that is no row.", "write it with --json");
            }
            MeasuredRow row = node.has("primaryMetric") ? ofJmh(node) : of(node);
            rows.merge(row.key, row, MeasuredRow::join);
        }
        return rows;
    }

    private static MeasuredRow of(JsonNode node) {
        List<String> key = new ArrayList<>();
        Map<String, List<Double>> measured = new LinkedHashMap<>();
        node.forEachEntry((name, value) -> {
            if (value.isNumber() && !KEY_NUMBERS.contains(name)) {
                measured.put(name, List.of(value.asDouble()));
            } else if (value.isString() || value.isNumber()) {
                key.add(name.equals("bench") ? value.asString() : name + "=" + value.asString());
            }
        });
        String bench = node.path("bench").asString("train");
        if (!node.has("bench")) {
            key.addFirst(bench);
        }
        return new MeasuredRow(bench, String.join(" ", key), measured);
    }

    private static MeasuredRow ofJmh(JsonNode node) {
        String benchmark = node.path("benchmark").asString("");
        List<String> key = new ArrayList<>();
        key.add(benchmark.substring(benchmark.lastIndexOf('.', Math.max(0, benchmark.lastIndexOf('.') - 1)) + 1));
        node.path("params").forEachEntry((name, value) -> key.add(name + "=" + value.asString()));
        key.add("mode=" + node.path("mode").asString(""));
        return new MeasuredRow(
                "jmh",
                String.join(" ", key),
                Map.of("score", List.of(node.path("primaryMetric").path("score").asDouble(Double.NaN))));
    }

    private static MeasuredRow join(MeasuredRow a, MeasuredRow b) {
        Map<String, List<Double>> joined = new LinkedHashMap<>(a.measured);
        b.measured.forEach((name, values) -> joined.merge(name, values, (x, y) -> {
            List<Double> both = new ArrayList<>(x);
            both.addAll(y);
            return both;
        }));
        return new MeasuredRow(a.bench, a.key, joined);
    }

    /** The median of a field. */
    OptionalDouble value(String field) {
        List<Double> values = measured.getOrDefault(field, List.of());
        if (values.isEmpty()) {
            return OptionalDouble.empty();
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return OptionalDouble.of((sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2);
    }

    Optional<String> mainMetric() {
        return MAIN_METRICS.stream().filter(measured::containsKey).findFirst();
    }

    /** Whether less of a field is better: times and errors; more of it is for rates, bandwidths, ratios and accuracies. */
    boolean isLowerBetter(String field) {
        if (bench.equals("jmh")) {
            return !key.endsWith("mode=thrpt");
        }
        String name = field.toLowerCase(Locale.ROOT);
        return !(name.contains("gbps")
                || name.contains("persecond")
                || name.contains("ratio")
                || name.contains("accuracy"));
    }

    /** The most elements that were wrong, in or out of place. */
    double wrong() {
        return measured.entrySet().stream()
                .filter(entry -> entry.getKey().toLowerCase(Locale.ROOT).endsWith("wrong"))
                .flatMap(entry -> entry.getValue().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }
}
