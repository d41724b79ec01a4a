package dev.slipstream.scheduler;

import dev.slipstream.collectives.CollectiveHandle;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bucket at work: collects gradients, goes, and hands averages back. In each step it passes through its states once, in
 * this order:
 *
 * <pre>
 * FILLING    gradients arrive, from any thread
 * READY      the last one has arrived; written by the thread that brought it
 * IN_FLIGHT  the collective is under way; from here on the communication thread writes
 * DONE       every gradient holds its average
 * </pre>
 *
 * and back to FILLING by {@link #reset}, which the training thread calls when all buckets are DONE.
 */
final class GradientBucket implements AutoCloseable {
    enum State {
        FILLING,
        READY,
        IN_FLIGHT,
        DONE
    }

    private final PlannedBucket plan;
    private final BucketExchange exchange;
    private final long elements;
    private final MemorySegment[] gradients;
    private final AtomicInteger pending;
    private volatile State state = State.FILLING;

    GradientBucket(PlannedBucket plan, BucketExchange exchange) {
        this.plan = plan;
        this.exchange = exchange;
        elements = plan.elements();
        int slots = plan.parameters().size();
        gradients = new MemorySegment[slots];
        Arrays.fill(gradients, MemorySegment.NULL);
        pending = new AtomicInteger(slots);
    }

    PlannedBucket plan() {
        return plan;
    }

    /** Bytes of its gradients, in their own type. */
    long gradientBytes() {
        return elements * plan.type().bytes();
    }

    /** Bytes of its buffer. */
    long bufferBytes() {
        return elements * plan.wireType().bytes();
    }

    BucketExchange exchange() {
        return exchange;
    }

    State state() {
        return state;
    }

    boolean isEmpty() {
        return elements == 0;
    }

    /**
     * Packs a gradient and remembers where its average goes. The caller sees to it that each slot is put once in a step.
     *
     * @return whether it was the last one, which made the bucket ready
     */
    boolean put(int slot, MemorySegment gradient) {
        exchange.put(slot, gradient);
        gradients[slot] = gradient;
        // The decrement publishes this slot to the thread that brings the last one, and READY all slots to the
        // communication thread.
        if (pending.decrementAndGet() > 0) {
            return false;
        }
        state = State.READY;
        return true;
    }

    /** Starts the collective. Only for a READY bucket with elements. */
    CollectiveHandle launch() {
        state = State.IN_FLIGHT;
        return exchange.launch();
    }

    /** After the collective has ended well: hands the averages back. */
    void complete() {
        exchange.complete();
        for (int slot = 0; slot < gradients.length; slot++) {
            exchange.take(slot, gradients[slot]);
        }
        state = State.DONE;
    }

    /** Makes the bucket ready for the next step. Gradients are let go, so that their memory may be freed. */
    void reset() {
        Arrays.fill(gradients, MemorySegment.NULL);
        pending.set(gradients.length);
        state = State.FILLING;
    }

    /** As errors name it: {@code bucket 2 ('fc.weight', 'fc.bias')}. */
    @Override
    public String toString() {
        return "bucket " + plan.position() + " (" + Names.of(plan.parameters()) + ")";
    }

    @Override
    public void close() {
        exchange.close();
    }
}
