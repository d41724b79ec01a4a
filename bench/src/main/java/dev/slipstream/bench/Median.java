package dev.slipstream.bench;

import java.util.Arrays;

/** Collects durations and gives their median, which a noisy neighbour moves less than a mean. */
final class Median {
    private final long[] nanos;
    private int count;

    Median(int capacity) {
        nanos = new long[capacity];
    }

    void add(long duration) {
        nanos[count++] = duration;
    }

    double micros() {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2e3;
    }
}
