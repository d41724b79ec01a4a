package dev.slipstream.bench;

import dev.slipstream.bench.train.DigitsData;
import dev.slipstream.bench.train.TrainResult;
import dev.slipstream.bench.train.TrainSettings;
import dev.slipstream.bench.train.Training;
import dev.slipstream.collectives.CommunicatorOptions;
import dev.slipstream.collectives.Strategy;
import dev.slipstream.scheduler.Compression;
import dev.slipstream.scheduler.OverlapConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Trains a classifier of the bundled digits on several ranks, every gradient through the scheduler. */
@Command(
        name = "train",
        description = "Train a classifier of handwritten digits on several ranks.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class TrainCommand implements Runnable {
    private static final double VERIFY_TOLERANCE = 1e-4;

    private enum Toggle {
        ON,
        OFF
    }

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Replicas, each a thread (default: 4; under mpirun: its -n).")
    private Optional<Integer> ranks = Optional.empty();

    @Option(names = "--epochs", defaultValue = "120", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
    private int epochs;

    @Option(
            names = "--batch",
            defaultValue = "64",
            paramLabel = "N",
            description = "Images in a global batch, over all ranks (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--transport",
            defaultValue = "auto",
            paramLabel = "TRANSPORT",
            description =
                    "auto, local, mpi or nccl (default: ${DEFAULT-VALUE}, which is mpi under mpirun, else local).")
    private String transportName = "auto";

    @Mixin
    private EngineArguments engine = new EngineArguments();

    @Option(
            names = "--strategy",
            defaultValue = "auto",
            paramLabel = "STRATEGY",
            converter = Converters.Strategies.class,
            description = "auto, native, shared, ring, tree, hierarchical or pipeline (default: ${DEFAULT-VALUE}).")
    private Strategy strategy = Strategy.AUTO;

    @Option(
            names = "--bucket-mb",
            defaultValue = "25",
            paramLabel = "MIB",
            description = "Size of a bucket (default: ${DEFAULT-VALUE}).")
    private double bucketMb;

    @Option(
            names = "--compress",
            defaultValue = "none",
            paramLabel = "HOOK",
            converter = Converters.Compressions.class,
            description = "none, fp16, bf16 or topk:RATIO (default: ${DEFAULT-VALUE}).")
    private Compression compress = new Compression.None();

    @Option(
            names = "--overlap",
            defaultValue = "on",
            paramLabel = "on|off",
            description = "Whether buckets go during the backward pass (default: ${DEFAULT-VALUE}).")
    private Toggle overlap = Toggle.ON;

    @Option(
            names = "--verify",
            description = "Train on one rank with the same global batches as well; fail unless the weights agree.")
    private boolean verify;

    @Option(names = "--data", paramLabel = "FILE", description = "Images of your own, in the format of the digits.")
    private Optional<Path> data = Optional.empty();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result for programs.")
    private Optional<Path> json = Optional.empty();

    /** One object of {@code --json}; the numbers of bytes and bandwidth are rank 0's. */
    record Row(
            int ranks,
            String transport,
            String engine,
            String strategy,
            String compress,
            double testAccuracy,
            boolean weightsIdentical,
            double stepsPerSecond,
            long bytesSent,
            double busGBps,
            double overlapRatio,
            @Nullable Double verifyMaxRelativeDifference) {}

    @Override
    public void run() {
        Transports transport = Transports.parse(transportName);
        int count = transport.ranks(ranks, 4);
        check(count);
        TrainSettings settings = new TrainSettings(epochs, batch, seed, 0.1f, overlapConfig(), engine.options(1), data);
        DigitsData images = DigitsData.read(data);
        check(images);
        CommunicatorOptions options = CommunicatorOptions.defaults().withStrategy(strategy);
        List<TrainResult> results = transport.run(count, options, communicator -> {
            try (TrainProgress progress = TrainProgress.of(communicator.rank(), epochs)) {
                return Training.run(communicator, settings, images, progress);
            }
        });
        if (transport.reports()) {
            report(transport, count, settings, images, results.getFirst());
        }
    }

    private void check(int count) {
        if (epochs < 1) {
            throw CommandException.usage("--epochs must be at least 1, but is " + epochs + ".", "the default is 120");
        }
        if (batch < count) {
            throw CommandException.usage(
                    "The global batch of " + batch + " images has too few for " + count + " ranks.",
                    "every rank needs at least one: raise --batch or lower --ranks");
        }
        if (verify && !(compress instanceof Compression.None)) {
            throw CommandException.usage(
                    "--verify compares weights to rounding, but --compress " + compress + " changes gradients by more.",
                    "use --compress none");
        }
    }

    private void check(DigitsData images) {
        int training = images.training().count();
        if (batch > training) {
            throw CommandException.usage(
                    "The global batch of " + batch + " images is larger than the " + training + " training images.",
                    "lower --batch");
        }
    }

    private OverlapConfig overlapConfig() {
        try {
            return OverlapConfig.builder()
                    .enabled(overlap == Toggle.ON)
                    .bucketBytes(Math.round(bucketMb * (1 << 20)))
                    .compression(compress)
                    .build();
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()), "see slipstream train --help");
        }
    }

    private void report(
            Transports transport, int count, TrainSettings settings, DigitsData images, TrainResult result) {
        Optional<Double> difference = verify ? Optional.of(difference(settings, images, result)) : Optional.empty();
        System.out.printf("test accuracy   %.4f%n", result.testAccuracy());
        System.out.printf(
                "weights         %s on all %d ranks (%s)%n",
                result.weightsIdentical() ? "bit-identical" : "NOT IDENTICAL", count, result.digest());
        difference.ifPresent(d -> System.out.printf(
                "verify          largest relative difference to one rank %.2e (at most %.0e)%n", d, VERIFY_TOLERANCE));
        System.out.printf("steps/s         %.0f%n", result.steps() / result.seconds());
        System.out.printf("bytes sent      %,d a rank%n", result.stats().bytesSent());
        System.out.printf("bus bandwidth   %.2f GB/s%n", result.stats().busBandwidth());
        System.out.printf("overlap ratio   %.2f%n", result.stats().overlapRatio());
        json.ifPresent(file -> JsonFile.write(
                file,
                new Row(
                        count,
                        transport.toString(),
                        result.engine(),
                        strategy.toString(),
                        compress.toString(),
                        result.testAccuracy(),
                        result.weightsIdentical(),
                        result.steps() / result.seconds(),
                        result.stats().bytesSent(),
                        result.stats().busBandwidth(),
                        result.stats().overlapRatio(),
                        difference.isPresent() ? difference.get() : null)));
        if (!result.weightsIdentical()) {
            throw CommandException.failed("The ranks ended with different weights.", "this is a defect: report it");
        }
        if (difference.isPresent() && !(difference.get() <= VERIFY_TOLERANCE)) {
            throw CommandException.failed(
                    "The weights differ from those of one rank by " + difference.get()
                            + ", more than rounding explains.",
                    "");
        }
    }

    /** Trains on one rank, and compares: differences relative to the largest weight of their parameter. */
    private static double difference(TrainSettings settings, DigitsData images, TrainResult result) {
        TrainResult single = LocalRanks.run(
                        1,
                        CommunicatorOptions.defaults(),
                        communicator -> Training.run(communicator, settings, images, (epoch, loss, accuracy) -> {}))
                .getFirst();
        double largest = 0;
        for (int i = 0; i < single.weights().length; i++) {
            double magnitude = 0;
            double difference = 0;
            for (int j = 0; j < single.weights()[i].length; j++) {
                magnitude = Math.max(magnitude, Math.abs(single.weights()[i][j]));
                difference = Math.max(difference, Math.abs(single.weights()[i][j] - (double) result.weights()[i][j]));
            }
            largest = Math.max(largest, difference / magnitude);
        }
        return largest;
    }
}
