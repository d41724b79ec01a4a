package dev.slipstream.bench.train;

import java.util.Random;

/**
 * The order of the images: drawn anew in each epoch from the seed alone, so that all ranks agree, and cut into global
 * batches, of which each rank takes a contiguous share. Every image is seen once in an epoch, whatever the number of ranks.
 */
final class Batches {
    private final int images;
    private final int batch;
    private final long seed;

    Batches(int images, int batch, long seed) {
        this.images = images;
        this.batch = batch;
        this.seed = seed;
    }

    int perEpoch() {
        return Math.ceilDiv(images, batch);
    }

    int[] order(int epoch) {
        int[] order = new int[images];
        Random random = new Random(seed * 1_000_003 + epoch);
        for (int i = 0; i < images; i++) { // Fisher and Yates, inside out
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    /** Images in a global batch; the last of an epoch may be smaller. */
    int size(int step) {
        return Math.min(batch, images - step * batch);
    }

    /** Where a rank's share of a global batch begins in the order; it ends where the next rank's begins. */
    int start(int step, int rank, int ranks) {
        return step * batch + (int) ((long) size(step) * rank / ranks);
    }
}
