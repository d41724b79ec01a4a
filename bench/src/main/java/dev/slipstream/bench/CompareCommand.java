package dev.slipstream.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two files that {@code --json} wrote, row by row, and fails on a regression. */
@Command(
        name = "compare",
        description = {
            "Compare two files that --json wrote, of the same benchmark before and after a change.",
            "Rows are paired by what was measured (strategy, ranks, bytes, kernel, ...). ratio is how many times better B"
                    + " is: above 1, B is faster. Rows that a file holds several times count with their median.",
            "Exit code 1 when a row is worse by more than --threshold, or has wrong elements that it had not."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class CompareCommand implements Runnable {
    @Parameters(index = "0", paramLabel = "A.json", description = "Before.")
    private Path before = Path.of("");

    @Parameters(index = "1", paramLabel = "B.json", description = "After.")
    private Path after = Path.of("");

    @Option(
            names = "--threshold",
            defaultValue = "0.1",
            paramLabel = "SHARE",
            description = "How much worse a row may be: 0.1 allows a ratio of 0.9 (default: ${DEFAULT-VALUE}).")
    private double threshold;

    @Option(
            names = "--metric",
            paramLabel = "FIELD",
            description = "What is compared, such as busGBps (default: a row's time, else its rate).")
    private Optional<String> metric = Optional.empty();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the pairs for programs.")
    private Optional<Path> json = Optional.empty();

    /** A row of {@code --json}; {@code ratio} is above 1 where B is better. */
    record Row(
            String bench, String row, String metric, double before, double after, double ratio, boolean regression) {}

    @Override
    public void run() {
        if (!(threshold >= 0 && threshold < 1)) {
            throw CommandException.usage(
                    "--threshold must be from 0 to below 1, but is " + threshold + ".", "0.1 allows a ratio of 0.9");
        }
        Map<String, MeasuredRow> a = MeasuredRow.read(before);
        Map<String, MeasuredRow> b = MeasuredRow.read(after);
        List<Row> rows = new ArrayList<>();
        List<String> unpaired = new ArrayList<>();
        a.forEach((key, row) -> {
            MeasuredRow other = b.get(key);
            if (other == null) {
                unpaired.add("only in " + before + ": " + key);
            } else {
                compare(row, other).ifPresentOrElse(rows::add, () -> unpaired.add("nothing to compare: " + key));
            }
        });
        b.keySet().stream()
                .filter(key -> !a.containsKey(key))
                .forEach(key -> unpaired.add("only in " + after + ": " + key));
        if (rows.isEmpty()) {
            throw CommandException.usage(
                    before + " and " + after + " have no row in common"
                            + metric.map(m -> " with " + m).orElse("") + ".",
                    "compare the same benchmark, with the same options");
        }
        print(rows, unpaired);
        json.ifPresent(file -> JsonFile.write(file, rows));
        long regressions = rows.stream().filter(Row::regression).count();
        if (regressions > 0) {
            throw CommandException.failed(
                    String.format(
                            Locale.ROOT,
                            "%d of %d rows are worse by more than %.0f %%.",
                            regressions,
                            rows.size(),
                            threshold * 100),
                    "noise? measure again on a quiet machine, or raise --threshold");
        }
    }

    private Optional<Row> compare(MeasuredRow a, MeasuredRow b) {
        Optional<String> chosen = metric.or(a::mainMetric);
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        String field = chosen.get();
        OptionalDouble x = a.value(field);
        OptionalDouble y = b.value(field);
        if (x.isEmpty() || y.isEmpty()) {
            return Optional.empty();
        }
        double ratio = a.isLowerBetter(field) ? x.getAsDouble() / y.getAsDouble() : y.getAsDouble() / x.getAsDouble();
        // NaN, from 0/0, is equality; a row that got wrong elements is worse however fast.
        boolean regression = ratio < 1 - threshold || (a.wrong() == 0 && b.wrong() > 0);
        return Optional.of(new Row(a.bench(), a.key(), field, x.getAsDouble(), y.getAsDouble(), ratio, regression));
    }

    private static void print(List<Row> rows, List<String> unpaired) {
        int width = rows.stream().mapToInt(row -> row.row.length()).max().orElse(0);
        System.out.printf("%-" + width + "s  %-14s %12s %12s %7s%n", "row", "metric", "A", "B", "ratio");
        for (Row row : rows) {
            System.out.printf(
                    Locale.ROOT,
                    "%-" + width + "s  %-14s %12.4g %12.4g %7.2f%s%n",
                    row.row,
                    row.metric,
                    row.before,
                    row.after,
                    row.ratio,
                    row.regression ? "  WORSE" : "");
        }
        double[] ratios = rows.stream()
                .mapToDouble(Row::ratio)
                .filter(r -> r > 0 && Double.isFinite(r))
                .toArray();
        double logs = 0;
        for (double ratio : ratios) {
            logs += Math.log(ratio);
        }
        if (ratios.length > 0) {
            System.out.printf(
                    Locale.ROOT, "geometric mean of %d ratios: %.2f%n", ratios.length, Math.exp(logs / ratios.length));
        }
        unpaired.forEach(System.out::println);
    }
}
