package dev.slipstream.collectives;

import java.time.Duration;

/**
 * Settings that every transport understands.
 *
 * @param timeout bound on every wait for other ranks; the exception then names those that did not arrive
 */
public record CommunicatorOptions(Duration timeout) {
    public CommunicatorOptions {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "The communicator's timeout must be positive, but is " + timeout + "; the default is PT5M.");
        }
    }

    /** Five minutes. */
    public static CommunicatorOptions defaults() {
        return new CommunicatorOptions(Duration.ofMinutes(5));
    }

    public CommunicatorOptions withTimeout(Duration newTimeout) {
        return new CommunicatorOptions(newTimeout);
    }
}
