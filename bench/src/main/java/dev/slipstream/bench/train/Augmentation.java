package dev.slipstream.bench.train;

import java.util.SplittableRandom;

/**
 * Moves, turns and stretches images a little, anew in each epoch, so that the network learns digits and not the writers of
 * the training images. What an image becomes depends on the seed, the epoch and the image alone, not on the rank that has
 * it.
 */
final class Augmentation {
    private static final int SIDE = 8;
    private static final double SHIFT = 0.9;
    private static final double TURN = 0.4;
    private static final double STRETCH = 0.25;

    private final long seed;

    Augmentation(long seed) {
        this.seed = seed;
    }

    /** Writes an image's variant for an epoch. */
    void apply(DigitsData data, int image, int epoch, float[] target, int at) {
        SplittableRandom random = new SplittableRandom((seed * 1_000_003 + epoch) * 1_000_003 + image);
        double moveX = SHIFT * spread(random);
        double moveY = SHIFT * spread(random);
        double turn = TURN * spread(random);
        double scaleX = 1 + STRETCH * spread(random);
        double scaleY = 1 + STRETCH * spread(random);
        double middle = (SIDE - 1) / 2.0;
        double sine = Math.sin(turn);
        double cosine = Math.cos(turn);
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                double dx = (x - middle) * scaleX;
                double dy = (y - middle) * scaleY;
                double fromX = middle + cosine * dx - sine * dy + moveX;
                double fromY = middle + sine * dx + cosine * dy + moveY;
                target[at + y * SIDE + x] = (float) interpolate(data.pixels(), image * DigitsData.PIXELS, fromX, fromY);
            }
        }
    }

    /** Between -1 and 1, mostly small. */
    private static double spread(SplittableRandom random) {
        return random.nextDouble() + random.nextDouble() - 1;
    }

    private static double interpolate(float[] pixels, int at, double x, double y) {
        int left = (int) Math.floor(x);
        int top = (int) Math.floor(y);
        double right = x - left;
        double below = y - top;
        return (1 - below) * ((1 - right) * pixel(pixels, at, left, top) + right * pixel(pixels, at, left + 1, top))
                + below
                        * ((1 - right) * pixel(pixels, at, left, top + 1)
                                + right * pixel(pixels, at, left + 1, top + 1));
    }

    private static float pixel(float[] pixels, int at, int x, int y) {
        return x < 0 || y < 0 || x >= SIDE || y >= SIDE ? 0 : pixels[at + y * SIDE + x];
    }
}
