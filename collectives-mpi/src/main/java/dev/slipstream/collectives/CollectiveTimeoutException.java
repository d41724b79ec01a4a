package dev.slipstream.collectives;

import java.util.List;

/** The deadline passed before all ranks arrived. */
public final class CollectiveTimeoutException extends CollectiveException {
    private static final long serialVersionUID = 1L;

    private final transient List<Integer> missingRanks;

    public CollectiveTimeoutException(String message, List<Integer> missingRanks) {
        super(message);
        this.missingRanks = List.copyOf(missingRanks);
    }

    /** The ranks that had not arrived. */
    public List<Integer> missingRanks() {
        return missingRanks;
    }
}
