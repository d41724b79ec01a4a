package dev.slipstream.emulator;

import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** A coroutine by the JDK's own continuations, on which virtual threads are built. Not for every JVM: see {@link Coroutine}. */
final class ContinuationCoroutine extends Coroutine {
    private static final ContinuationScope SCOPE = new ContinuationScope("slipstream work-item");

    private final Continuation continuation = new Continuation(SCOPE, this::runCode);

    ContinuationCoroutine(Runnable code) {
        super(code);
    }

    @Override
    void run() {
        continuation.run();
    }

    @Override
    void pause() {
        Continuation.yield(SCOPE);
    }

    @Override
    void stop() {
        // Nothing runs it any more, and the garbage collector takes its frames.
    }
}
