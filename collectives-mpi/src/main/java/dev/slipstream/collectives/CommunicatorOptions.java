package dev.slipstream.collectives;

import java.time.Duration;

/**
 * Settings that every transport understands. All ranks of a group must use the same.
 *
 * @param timeout bound on every wait for other ranks; the exception then names those that did not arrive
 * @param strategy how all-reduces move the bytes
 * @param localGroupSize how many ranks at most form a group that reduces through shared memory; 0 for all that share a
 *     host
 * @param headerCheck whether the ranks compare their calls before a buffer is touched; without it, ranks that differ
 *     may overrun each other's buffers, and a deadline can't name who is missing on other hosts
 */
public record CommunicatorOptions(Duration timeout, Strategy strategy, int localGroupSize, boolean headerCheck) {
    public CommunicatorOptions {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "The communicator's timeout must be positive, but is " + timeout + "; the default is PT5M.");
        }
        if (localGroupSize < 0) {
            throw new IllegalArgumentException(
                    "The local group size must be 0 (all ranks of a host) or more, but is " + localGroupSize + ".");
        }
    }

    /** Five minutes, {@link Strategy#AUTO}, groups as large as the hosts, calls compared. */
    public static CommunicatorOptions defaults() {
        return new CommunicatorOptions(Duration.ofMinutes(5), Strategy.AUTO, 0, true);
    }

    public CommunicatorOptions withTimeout(Duration newTimeout) {
        return new CommunicatorOptions(newTimeout, strategy, localGroupSize, headerCheck);
    }

    public CommunicatorOptions withStrategy(Strategy newStrategy) {
        return new CommunicatorOptions(timeout, newStrategy, localGroupSize, headerCheck);
    }

    public CommunicatorOptions withLocalGroupSize(int newLocalGroupSize) {
        return new CommunicatorOptions(timeout, strategy, newLocalGroupSize, headerCheck);
    }

    public CommunicatorOptions withHeaderCheck(boolean newHeaderCheck) {
        return new CommunicatorOptions(timeout, strategy, localGroupSize, newHeaderCheck);
    }
}
