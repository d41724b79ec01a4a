package dev.slipstream.bench;

import dev.slipstream.bench.AllReduceCommand.Row;
import dev.slipstream.collectives.ElementType;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Prints all-reduce measurements in nccl-tests' columns. */
final class AllReduceTable {
    private AllReduceTable() {}

    static void printHeader(int ranks, Transports transport) {
        System.out.printf(
                "# all-reduce, %d ranks, transport %s, %d processors; medians; bandwidths in GB/s%n",
                ranks, transport, Runtime.getRuntime().availableProcessors());
        System.out.printf("%-60s %-37s %s%n", "#", "out of place", "in place");
        System.out.printf(
                "%12s %12s %8s %8s %13s  %10s %7s %7s %7s   %10s %7s %7s %7s %7s%n",
                "size B",
                "count",
                "type",
                "op",
                "strategy",
                "time us",
                "algbw",
                "busbw",
                "#wrong",
                "time us",
                "algbw",
                "busbw",
                "#wrong",
                "ratio");
    }

    static void print(Row row) {
        int elementBytes =
                ElementType.valueOf(row.type().toUpperCase(Locale.ROOT)).bytes();
        System.out.printf(
                Locale.ROOT,
                "%12d %12d %8s %8s %13s  %10.1f %7.2f %7.2f %7d   %10.1f %7.2f %7.2f %7d %7s%n",
                row.bytes(),
                row.bytes() / elementBytes,
                row.type(),
                row.op(),
                row.strategy(),
                row.outOfPlaceMicrosMedian(),
                row.outOfPlaceAlgGBps(),
                row.outOfPlaceBusGBps(),
                row.outOfPlaceWrong(),
                row.microsMedian(),
                row.algGBps(),
                row.busGBps(),
                row.wrong(),
                row.ratioToPlainAdd() == null ? "" : String.format(Locale.ROOT, "%.2f", row.ratioToPlainAdd()));
    }

    /** Several strategies side by side: bus bandwidth in place, a line for each size. Prints nothing for one strategy. */
    static void printComparison(List<Row> rows) {
        Set<String> strategies = new LinkedHashSet<>();
        Map<Long, Map<String, Row>> sizes = new LinkedHashMap<>();
        for (Row row : rows) {
            strategies.add(row.strategy());
            sizes.computeIfAbsent(row.bytes(), size -> new LinkedHashMap<>()).put(row.strategy(), row);
        }
        if (strategies.size() < 2) {
            return;
        }
        System.out.printf("%n# busbw in place, GB/s%n%12s", "size B");
        strategies.forEach(strategy -> System.out.printf(" %13s", strategy));
        System.out.println();
        sizes.forEach((size, byStrategy) -> {
            System.out.printf("%12d", size);
            byStrategy.values().forEach(row -> System.out.printf(Locale.ROOT, " %13.2f", row.busGBps()));
            System.out.println();
        });
    }
}
