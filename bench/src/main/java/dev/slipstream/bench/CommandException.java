package dev.slipstream.bench;

import org.jspecify.annotations.Nullable;

/** Ends a command with one sentence, a hint and an exit code. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The run failed. */
    public static final int FAILED = 1;

    /** Wrong usage or configuration. */
    public static final int USAGE = 2;

    private final String hint;
    private final int exitCode;

    private CommandException(int exitCode, String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
        this.hint = hint;
    }

    /** What was asked for cannot be done. */
    public static CommandException usage(String message, String hint) {
        return new CommandException(USAGE, message, hint, null);
    }

    /** What was asked for went wrong. */
    public static CommandException failed(String message, String hint) {
        return new CommandException(FAILED, message, hint, null);
    }

    /** What was asked for went wrong, because of {@code cause}. */
    public static CommandException failed(String message, String hint, @Nullable Throwable cause) {
        return new CommandException(FAILED, message, hint, cause);
    }

    /** What to do about it; may be empty. */
    public String hint() {
        return hint;
    }

    public int exitCode() {
        return exitCode;
    }
}
