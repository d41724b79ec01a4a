package dev.slipstream.bench.train;

/**
 * Stochastic gradient descent with momentum and weight decay, as PyTorch's {@code SGD} defines them: {@code v = momentum v
 * + g + decay w; w = w - rate v}.
 */
final class Sgd {
    private static final float MOMENTUM = 0.9f;
    private static final float DECAY = 1e-4f;

    private final float[][] velocity;

    Sgd(float[][] weights) {
        velocity = new float[weights.length][];
        for (int i = 0; i < weights.length; i++) {
            velocity[i] = new float[weights[i].length];
        }
    }

    void step(float[][] weights, float[][] gradients, float rate) {
        for (int i = 0; i < weights.length; i++) {
            step(weights[i], gradients[i], velocity[i], rate);
        }
    }

    private static void step(float[] weight, float[] gradient, float[] velocity, float rate) {
        for (int i = 0; i < weight.length; i++) {
            velocity[i] = MOMENTUM * velocity[i] + (gradient[i] + DECAY * weight[i]);
            weight[i] -= rate * velocity[i];
        }
    }
}
