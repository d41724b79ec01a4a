package dev.slipstream.emulator;

import java.util.concurrent.locks.LockSupport;

/** A coroutine by a virtual thread, which runs while its owner's thread waits. */
final class ThreadCoroutine extends Coroutine {
    private final Thread thread = Thread.ofVirtual().unstarted(this::work);
    private volatile Thread owner = Thread.currentThread();
    private volatile boolean running;
    private volatile boolean stopped;

    ThreadCoroutine(Runnable code) {
        super(code);
    }

    private void work() {
        try {
            runCode();
        } finally {
            running = false;
            LockSupport.unpark(owner);
        }
    }

    @Override
    void run() {
        owner = Thread.currentThread();
        running = true;
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        } else {
            LockSupport.unpark(thread);
        }
        while (running) {
            LockSupport.park(this);
        }
    }

    @Override
    void pause() {
        running = false;
        LockSupport.unpark(owner);
        while (!running) {
            LockSupport.park(this);
            if (stopped) {
                throw new Stopped();
            }
        }
    }

    @Override
    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    /** Unwinds code that was given up. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("Given up.", null, false, false);
        }
    }
}
