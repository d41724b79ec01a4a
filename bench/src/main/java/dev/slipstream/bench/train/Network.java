package dev.slipstream.bench.train;

import dev.slipstream.scheduler.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A multilayer perceptron with SiLU units (z times its sigmoid) and softmax cross-entropy, in plain Java: one replica's weights,
 * gradients and activations, allocated once.
 *
 * <p>Layer l has a weight of (inputs, outputs) and a bias of (outputs); parameter 2l is its weight, 2l + 1 its bias.
 */
public final class Network {
    /** Gives the pixels of an image. */
    @FunctionalInterface
    public interface ImageSource {
        /** Writes an image's 64 pixels to {@code target[at..]}. */
        void read(int image, float[] target, int at);
    }

    /** Takes a gradient as soon as the backward pass has it. */
    @FunctionalInterface
    public interface GradientSink {
        /** A gradient is complete. */
        void ready(int parameter, float[] gradient);
    }

    private final int[] sizes;
    private final float[][] weights;
    private final float[][] gradients;
    private final float[][] activations;
    private final float[][] slopes;
    private final float[][] deltas;

    /**
     * A network whose weights are drawn by He's initialisation.
     *
     * @param sizes of the layers, inputs first
     * @param rows the most images that a pass takes
     */
    public Network(int[] sizes, int rows, long seed) {
        this.sizes = sizes.clone();
        int layers = sizes.length - 1;
        weights = new float[2 * layers][];
        gradients = new float[2 * layers][];
        activations = new float[sizes.length][];
        slopes = new float[sizes.length][];
        deltas = new float[sizes.length][];
        Random random = new Random(seed);
        for (int layer = 0; layer < layers; layer++) {
            weights[2 * layer] = new float[sizes[layer] * sizes[layer + 1]];
            weights[2 * layer + 1] = new float[sizes[layer + 1]];
            double deviation = Math.sqrt(2.0 / sizes[layer]);
            for (int i = 0; i < weights[2 * layer].length; i++) {
                weights[2 * layer][i] = (float) (random.nextGaussian() * deviation);
            }
            gradients[2 * layer] = new float[weights[2 * layer].length];
            gradients[2 * layer + 1] = new float[sizes[layer + 1]];
        }
        for (int i = 0; i < sizes.length; i++) {
            activations[i] = new float[rows * sizes[i]];
            slopes[i] = new float[rows * sizes[i]];
            deltas[i] = new float[rows * sizes[i]];
        }
    }

    /** In forward order. */
    public List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        for (int layer = 0; layer + 1 < sizes.length; layer++) {
            parameters.add(Parameter.float32("layer" + (layer + 1) + ".weight", sizes[layer], sizes[layer + 1]));
            parameters.add(Parameter.float32("layer" + (layer + 1) + ".bias", sizes[layer + 1]));
        }
        return parameters;
    }

    /** The weights, by parameter; to be written by an optimizer. */
    public float[][] weights() {
        return weights;
    }

    /** The gradients of the last backward pass, by parameter. */
    public float[][] gradients() {
        return gradients;
    }

    /**
     * Forward pass; afterwards the last activations are probabilities.
     *
     * @param images which images to take, those from {@code from} to before {@code to}
     * @return the sum of the images' cross-entropies
     */
    public double forward(ImageSource source, byte[] labels, int[] images, int from, int to) {
        int rows = to - from;
        for (int row = 0; row < rows; row++) {
            source.read(images[from + row], activations[0], row * sizes[0]);
        }
        int layers = sizes.length - 1;
        for (int layer = 0; layer < layers; layer++) {
            affine(layer, rows);
            if (layer + 1 < layers) {
                activate(activations[layer + 1], slopes[layer + 1], rows * sizes[layer + 1]);
            }
        }
        double loss = 0;
        for (int row = 0; row < rows; row++) {
            int at = row * sizes[layers];
            softmax(activations[layers], at, sizes[layers]);
            loss -= Math.log(Math.max(1e-30, activations[layers][at + labels[images[from + row]]]));
        }
        return loss;
    }

    private void affine(int layer, int rows) {
        int in = sizes[layer];
        int out = sizes[layer + 1];
        float[] weight = weights[2 * layer];
        float[] bias = weights[2 * layer + 1];
        float[] x = activations[layer];
        float[] y = activations[layer + 1];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(bias, 0, y, row * out, out);
            for (int i = 0; i < in; i++) {
                addScaled(weight, i * out, x[row * in + i], y, row * out, out);
            }
        }
    }

    /** {@code y[at..] += a * x[from..]}: the loop that HotSpot vectorises. */
    private static void addScaled(float[] x, int from, float a, float[] y, int at, int count) {
        for (int i = 0; i < count; i++) {
            y[at + i] += a * x[from + i];
        }
    }

    /** SiLU and its derivative: smooth, so that roundings stay roundings. */
    private static void activate(float[] values, float[] slopes, int count) {
        for (int i = 0; i < count; i++) {
            float z = values[i];
            float sigmoid = (float) (1 / (1 + Math.exp(-z)));
            values[i] = z * sigmoid;
            slopes[i] = sigmoid * (1 + z * (1 - sigmoid));
        }
    }

    private static void softmax(float[] values, int at, int count) {
        float largest = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, values[at + i]);
        }
        float sum = 0;
        for (int i = 0; i < count; i++) {
            values[at + i] = (float) Math.exp(values[at + i] - largest);
            sum += values[at + i];
        }
        for (int i = 0; i < count; i++) {
            values[at + i] /= sum;
        }
    }

    /**
     * Backward pass over the images of the last forward pass, the last layer first; each gradient is handed over before
     * the next layer's is computed.
     *
     * @param scale what the sum of the images' gradients is multiplied by
     */
    public void backward(byte[] labels, int[] images, int from, int to, float scale, GradientSink sink) {
        int rows = to - from;
        int layers = sizes.length - 1;
        float[] delta = deltas[layers];
        System.arraycopy(activations[layers], 0, delta, 0, rows * sizes[layers]);
        for (int row = 0; row < rows; row++) {
            delta[row * sizes[layers] + labels[images[from + row]]] -= 1;
        }
        for (int i = 0; i < rows * sizes[layers]; i++) {
            delta[i] *= scale;
        }
        for (int layer = layers - 1; layer >= 0; layer--) {
            differentiate(layer, rows);
            sink.ready(2 * layer + 1, gradients[2 * layer + 1]);
            sink.ready(2 * layer, gradients[2 * layer]);
            if (layer > 0) {
                propagate(layer, rows);
            }
        }
    }

    private void differentiate(int layer, int rows) {
        int in = sizes[layer];
        int out = sizes[layer + 1];
        float[] weight = gradients[2 * layer];
        float[] bias = gradients[2 * layer + 1];
        Arrays.fill(weight, 0);
        Arrays.fill(bias, 0);
        for (int row = 0; row < rows; row++) {
            addScaled(deltas[layer + 1], row * out, 1, bias, 0, out);
            for (int i = 0; i < in; i++) {
                float x = activations[layer][row * in + i];
                addScaled(deltas[layer + 1], row * out, x, weight, i * out, out);
            }
        }
    }

    private void propagate(int layer, int rows) {
        int in = sizes[layer];
        int out = sizes[layer + 1];
        float[] weight = weights[2 * layer];
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < in; i++) {
                float sum = 0;
                for (int o = 0; o < out; o++) {
                    sum += deltas[layer + 1][row * out + o] * weight[i * out + o];
                }
                deltas[layer][row * in + i] = sum * slopes[layer][row * in + i];
            }
        }
    }

    /** How many of the images it recognises. */
    public int correct(DigitsData data) {
        int rows = activations[0].length / sizes[0];
        int classes = sizes[sizes.length - 1];
        int[] images = new int[data.count()];
        Arrays.setAll(images, i -> i);
        int correct = 0;
        for (int from = 0; from < images.length; from += rows) {
            int to = Math.min(from + rows, images.length);
            forward(data::read, data.labels(), images, from, to);
            float[] probabilities = activations[sizes.length - 1];
            for (int row = 0; row < to - from; row++) {
                int best = 0;
                for (int c = 1; c < classes; c++) {
                    best = probabilities[row * classes + c] > probabilities[row * classes + best] ? c : best;
                }
                correct += best == data.labels()[from + row] ? 1 : 0;
            }
        }
        return correct;
    }
}
