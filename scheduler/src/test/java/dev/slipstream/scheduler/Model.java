package dev.slipstream.scheduler;

import dev.slipstream.collectives.ElementType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Parameters and gradients that every rank of a test can compute for itself, and their averages. */
record Model(List<Parameter> parameters) {
    /** Odd sizes: none, one, seven, around powers of two, one large. */
    static Model mixed() {
        return new Model(List.of(
                Parameter.float32("conv.weight", 16, 3, 3),
                Parameter.float32("conv.bias", 16),
                Parameter.float64("norm.mean", 7),
                Parameter.float32("empty", 10, 0),
                Parameter.float32("scale"),
                Parameter.float32("fc1.weight", 127, 9),
                Parameter.float64("fc1.precise", 257),
                Parameter.float32("fc1.bias", 127),
                Parameter.float32("fc2.weight", 4099),
                Parameter.float32("fc2.bias", 33)));
    }

    /** Buckets so small that the mixed model has many. */
    static OverlapConfig.Builder tinyBuckets() {
        return OverlapConfig.builder().bucketBytes(2048).firstBucketBytes(64).minTensorElements(8);
    }

    int size() {
        return parameters.size();
    }

    int elements(int index) {
        return Math.toIntExact(parameters.get(index).elements());
    }

    boolean isFloat32(int index) {
        return parameters.get(index).type() == ElementType.FLOAT32;
    }

    /** The gradient of a parameter, in double; float32 ones hold float32 values. */
    double[] gradient(int index, int rank, int step) {
        Random random = new Random(((index * 31L) + rank) * 1009 + step);
        double[] gradient = new double[elements(index)];
        for (int i = 0; i < gradient.length; i++) {
            double value = random.nextGaussian() * Math.exp(4 * random.nextGaussian());
            gradient[i] = isFloat32(index) ? (float) value : value;
        }
        return gradient;
    }

    static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    /** The mean over the ranks, in float64, in rank order. */
    double[] average(int index, int ranks, int step) {
        double[] sum = new double[elements(index)];
        for (int rank = 0; rank < ranks; rank++) {
            double[] gradient = gradient(index, rank, step);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += gradient[i];
            }
        }
        for (int i = 0; i < sum.length; i++) {
            sum[i] /= ranks;
        }
        return sum;
    }

    /** The mean magnitude over the ranks: what rounding errors are relative to. */
    double[] magnitude(int index, int ranks, int step) {
        double[] sum = new double[elements(index)];
        for (int rank = 0; rank < ranks; rank++) {
            double[] gradient = gradient(index, rank, step);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += Math.abs(gradient[i]) / ranks;
            }
        }
        return sum;
    }

    /** The order in which gradients arrive: reversed, or shuffled by a seed. */
    List<Integer> order(long seed) {
        List<Integer> order = new ArrayList<>();
        for (int index = size() - 1; index >= 0; index--) {
            order.add(index);
        }
        if (seed != 0) {
            Collections.shuffle(order, new Random(seed));
        }
        return order;
    }
}
