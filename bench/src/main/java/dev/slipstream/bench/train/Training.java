package dev.slipstream.bench.train;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.scheduler.GradientSynchronizer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** One rank's training: a replica of the network, its share of every global batch, gradients averaged with the others. */
public final class Training {
    private static final int[] LAYERS = {DigitsData.PIXELS, 256, 128, DigitsData.CLASSES};

    /** Told after each epoch, on the rank's own thread. */
    @FunctionalInterface
    public interface Progress {
        /**
         * An epoch has ended.
         *
         * @param epoch from 1
         * @param loss mean cross-entropy of the epoch's images, over all ranks
         */
        void epoch(int epoch, double loss, double testAccuracy);
    }

    private final Communicator communicator;
    private final TrainSettings settings;
    private final DigitsData training;
    private final DigitsData testing;
    private final Batches batches;
    private final Augmentation augmentation;
    private final Network network;
    private final MemorySegment epochLoss;

    private Training(Communicator communicator, TrainSettings settings, DigitsData data) {
        this.communicator = communicator;
        this.settings = settings;
        training = data.training();
        testing = data.testing();
        batches = new Batches(training.count(), settings.batch(), settings.seed());
        augmentation = new Augmentation(settings.seed());
        int rows = Math.ceilDiv(settings.batch(), communicator.size());
        // Every rank draws its own weights and then takes rank 0's, as replicas restored from different files would.
        network = new Network(LAYERS, rows, settings.seed() + communicator.rank());
        epochLoss = Arena.ofAuto().allocate(ValueLayout.JAVA_DOUBLE);
    }

    /** Runs a rank from start to end; a collective over the communicator's ranks. */
    public static TrainResult run(
            Communicator communicator, TrainSettings settings, DigitsData data, Progress progress) {
        try (KernelEngine engine = KernelEngine.open(settings.engine())) {
            return new Training(communicator, settings, data).run(engine, progress);
        }
    }

    private TrainResult run(KernelEngine engine, Progress progress) {
        broadcastWeights();
        try (GradientSynchronizer synchronizer =
                GradientSynchronizer.create(communicator, network.parameters(), settings.overlap(), engine)) {
            Sgd optimizer = new Sgd(network.weights());
            long steps = (long) settings.epochs() * batches.perEpoch();
            long step = 0;
            long nanos = 0;
            for (int epoch = 0; epoch < settings.epochs(); epoch++) {
                int[] order = batches.order(epoch);
                double loss = 0;
                long start = System.nanoTime();
                for (int batch = 0; batch < batches.perEpoch(); batch++) {
                    loss += step(synchronizer, order, epoch, batch);
                    float rate = settings.rate() * (float) (0.5 * (1 + Math.cos(Math.PI * step++ / steps)));
                    optimizer.step(network.weights(), network.gradients(), rate);
                }
                nanos += System.nanoTime() - start;
                progress.epoch(epoch + 1, meanLoss(loss), accuracy());
            }
            byte[] digest = digest();
            return new TrainResult(
                    network.weights(),
                    accuracy(),
                    sameOnAllRanks(digest),
                    HexFormat.of().formatHex(digest, 0, 8),
                    step,
                    nanos / 1e9,
                    synchronizer.stats(),
                    engine.name());
        }
    }

    private double step(GradientSynchronizer synchronizer, int[] order, int epoch, int batch) {
        int ranks = communicator.size();
        int from = batches.start(batch, communicator.rank(), ranks);
        int to = batches.start(batch, communicator.rank() + 1, ranks);
        double loss = network.forward(
                (image, target, at) -> augmentation.apply(training, image, epoch, target, at),
                training.labels(),
                order,
                from,
                to);
        // The average over the ranks must be the mean over the global batch, also when shares differ by an image.
        float scale = (float) ranks / batches.size(batch);
        network.backward(training.labels(), order, from, to, scale, synchronizer::gradientReady);
        synchronizer.finishStep();
        return loss;
    }

    private double accuracy() {
        return (double) network.correct(testing) / testing.count();
    }

    private double meanLoss(double sum) {
        epochLoss.set(ValueLayout.JAVA_DOUBLE, 0, sum);
        communicator.allReduce(epochLoss, ElementType.FLOAT64, Reduction.SUM);
        return epochLoss.get(ValueLayout.JAVA_DOUBLE, 0) / training.count();
    }

    private void broadcastWeights() {
        try (Arena arena = Arena.ofShared()) {
            for (float[] weight : network.weights()) {
                MemorySegment buffer = arena.allocateFrom(ValueLayout.JAVA_FLOAT, weight);
                communicator.broadcast(buffer, ElementType.FLOAT32, 0);
                MemorySegment.copy(buffer, ValueLayout.JAVA_FLOAT, 0, weight, 0, weight.length);
            }
        }
    }

    private byte[] digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (float[] weight : network.weights()) {
                ByteBuffer bytes = ByteBuffer.allocate(weight.length * 4).order(ByteOrder.nativeOrder());
                bytes.asFloatBuffer().put(weight);
                digest.update(bytes);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256.", e);
        }
    }

    private boolean sameOnAllRanks(byte[] digest) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment mine = arena.allocateFrom(ValueLayout.JAVA_BYTE, digest);
            MemorySegment all = arena.allocate((long) digest.length * communicator.size());
            communicator.allGather(mine, all, ElementType.UINT8);
            for (int rank = 0; rank < communicator.size(); rank++) {
                if (all.asSlice((long) rank * digest.length, digest.length).mismatch(mine) >= 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
