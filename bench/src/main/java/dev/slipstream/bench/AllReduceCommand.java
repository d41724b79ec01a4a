package dev.slipstream.bench;

import dev.slipstream.collectives.CommunicatorOptions;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.collectives.Strategy;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** All-reduce in the manner of nccl-tests, beside a plain addition by as many threads over the same memory. */
@Command(
        name = "allreduce",
        description = {
            "Time, bandwidth and errors of the all-reduce by buffer size.",
            "algbw is bytes/time; busbw is algbw x 2(n-1)/n. On the local transport, ratio is the time of plain threads"
                    + " that add the ranks' buffers into the first, over the time of the all-reduce in place, call by"
                    + " call. Several strategies are compared once more at the end."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class AllReduceCommand implements Runnable {
    @Option(names = "--ranks", paramLabel = "N", description = "Ranks (default: 2; under mpirun: its -n).")
    private Optional<Integer> ranks = Optional.empty();

    @Option(
            names = "--transport",
            defaultValue = "auto",
            paramLabel = "TRANSPORT",
            description = "auto, local, mpi or nccl (default: ${DEFAULT-VALUE}).")
    private String transportName = "auto";

    @Option(
            names = "--strategy",
            split = ",",
            defaultValue = "auto",
            paramLabel = "STRATEGY",
            converter = Converters.Strategies.class,
            description = "One or several, separated by commas (default: ${DEFAULT-VALUE}).")
    private List<Strategy> strategies = List.of();

    @Option(
            names = "--min",
            defaultValue = "4",
            paramLabel = "BYTES",
            converter = Converters.Bytes.class,
            description = "Smallest buffer, such as 4 or 64K (default: ${DEFAULT-VALUE}).")
    private long min;

    @Option(
            names = "--max",
            defaultValue = "64M",
            paramLabel = "BYTES",
            converter = Converters.Bytes.class,
            description = "Largest buffer (default: ${DEFAULT-VALUE}).")
    private long max;

    @Option(
            names = "--factor",
            defaultValue = "4",
            paramLabel = "N",
            description = "From one size to the next (default: ${DEFAULT-VALUE}).")
    private int factor;

    @Option(
            names = "--type",
            defaultValue = "float32",
            paramLabel = "TYPE",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ElementType type = ElementType.FLOAT32;

    @Option(
            names = "--op",
            defaultValue = "sum",
            paramLabel = "OP",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Reduction reduction = Reduction.SUM;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the rows for programs.")
    private Optional<Path> json = Optional.empty();

    /** A row of {@code --json}; what does not say {@code outOfPlace} was measured in place. */
    record Row(
            String bench,
            String transport,
            String strategy,
            int ranks,
            long bytes,
            String type,
            String op,
            double microsMedian,
            double algGBps,
            double busGBps,
            long wrong,
            @Nullable Double ratioToPlainAdd,
            double outOfPlaceMicrosMedian,
            double outOfPlaceAlgGBps,
            double outOfPlaceBusGBps,
            long outOfPlaceWrong) {}

    @Override
    public void run() {
        Transports transport = Transports.parse(transportName);
        int count = transport.ranks(ranks, 2);
        if (min < type.bytes() || max < min || factor < 2) {
            throw CommandException.usage(
                    "There are no sizes from --min " + min + " to --max " + max + " by --factor " + factor + " for "
                            + type + ".",
                    "the smallest is one element (" + type.bytes() + " bytes), the factor at least 2");
        }
        if (!reduction.supports(type)) {
            throw CommandException.usage(
                    "--op " + lower(reduction) + " is not defined for " + lower(type) + ".", "use --op sum");
        }
        boolean reports = transport.reports();
        if (reports) {
            AllReduceTable.printHeader(count, transport);
        }
        List<Row> rows = new ArrayList<>();
        for (long bytes = min; bytes <= max; bytes *= factor) {
            for (Strategy strategy : strategies) {
                Row row = measure(transport, count, bytes / type.bytes() * type.bytes(), strategy);
                rows.add(row);
                if (reports) {
                    AllReduceTable.print(row);
                }
            }
        }
        if (reports) {
            AllReduceTable.printComparison(rows);
            json.ifPresent(file -> JsonFile.write(file, rows));
            long wrong = rows.stream()
                    .mapToLong(row -> row.wrong + row.outOfPlaceWrong)
                    .sum();
            if (wrong > 0) {
                throw CommandException.failed(wrong + " elements were wrong.", "this is a defect: report it");
            }
        }
    }

    private Row measure(Transports transport, int count, long bytes, Strategy strategy) {
        CommunicatorOptions options = CommunicatorOptions.defaults().withStrategy(strategy);
        // A baseline over all ranks' memory exists where that memory is this process's.
        boolean plain = transport == Transports.LOCAL && type == ElementType.FLOAT32;
        MemorySegment[] buffers = new MemorySegment[count];
        // Over mpi, auto tries every strategy within its first 60 operations, and then chooses.
        int leastWarmup = transport == Transports.MPI && strategy == Strategy.AUTO ? 35 : 10;
        List<AllReduceTiming> timings = transport.run(
                count,
                options,
                communicator -> AllReduceTiming.measure(
                        communicator,
                        plain ? Optional.of(buffers) : Optional.empty(),
                        bytes,
                        type,
                        reduction,
                        leastWarmup));
        AllReduceTiming timing = timings.getFirst();
        double toBusBandwidth = 2.0 * (count - 1) / count;
        double inPlace = gigabytesPerSecond(bytes, timing.micros());
        double outOfPlace = gigabytesPerSecond(bytes, timing.outOfPlaceMicros());
        return new Row(
                "allreduce",
                transport.toString(),
                strategy.toString(),
                count,
                bytes,
                lower(type),
                lower(reduction),
                timing.micros(),
                inPlace,
                inPlace * toBusBandwidth,
                timing.wrong(),
                plain ? timing.plainMicros() / timing.micros() : null,
                timing.outOfPlaceMicros(),
                outOfPlace,
                outOfPlace * toBusBandwidth,
                timing.outOfPlaceWrong());
    }

    private static double gigabytesPerSecond(long bytes, double micros) {
        return bytes / micros / 1e3;
    }

    private static String lower(Enum<?> value) {
        return value.toString().toLowerCase(Locale.ROOT);
    }
}
