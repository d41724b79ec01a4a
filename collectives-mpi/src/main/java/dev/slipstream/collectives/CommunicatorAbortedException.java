package dev.slipstream.collectives;

/** The group has ended: a rank aborted it, closed its end, or failed; the message names the rank and its reason. */
public final class CommunicatorAbortedException extends CollectiveException {
    private static final long serialVersionUID = 1L;

    public CommunicatorAbortedException(String message) {
        super(message);
    }
}
