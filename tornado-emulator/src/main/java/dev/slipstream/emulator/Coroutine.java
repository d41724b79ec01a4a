package dev.slipstream.emulator;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Code that can pause in its middle: what a work-item needs that waits at a barrier. One thread at a time runs it or its
 * owner, never both.
 */
abstract class Coroutine {
    private final Runnable code;
    private @Nullable Throwable failure;

    Coroutine(Runnable code) {
        this.code = code;
    }

    /** A coroutine of the fastest kind that this JVM allows. */
    static Coroutine of(Runnable code) {
        return Kind.CONTINUATIONS ? new ContinuationCoroutine(code) : new ThreadCoroutine(code);
    }

    /**
     * Runs the code that will own coroutines, on a thread from which they are cheap to resume, and returns when it ends;
     * throws what the code throws.
     */
    static void own(Runnable code) {
        if (Kind.CONTINUATIONS) {
            code.run();
        } else {
            new ThreadCoroutine(code).resume();
        }
    }

    /** Goes on until the code pauses or ends; throws what the code throws. Called by the owner. */
    final void resume() {
        run();
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    /** Goes back to the owner until the next {@link #resume}. Called by the code. */
    abstract void pause();

    /** Gives the coroutine up, wherever it paused. Called by the owner. */
    abstract void stop();

    abstract void run();

    @SuppressWarnings("CatchingUnchecked") // Everything is handed to the owner.
    final void runCode() {
        try {
            code.run();
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    private static final class Kind {
        static final boolean CONTINUATIONS =
                Object.class.getModule().isExported("jdk.internal.vm", Coroutine.class.getModule());

        static {
            if (!CONTINUATIONS) {
                System.getLogger(Emulator.class.getName())
                        .log(
                                Level.INFO,
                                "Barriers in emulated kernels take a virtual thread for each work-item; the JVM option"
                                        + " --add-exports=java.base/jdk.internal.vm=ALL-UNNAMED makes them several"
                                        + " times faster.");
            }
        }
    }
}
