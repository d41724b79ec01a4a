package dev.slipstream.scheduler;

import dev.slipstream.collectives.CollectiveException;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.kernels.KernelEngine;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Averages the gradients of one rank with those of all others while its backward pass still runs.
 *
 * <pre>{@code
 * try (var synchronizer = GradientSynchronizer.create(communicator, parameters, OverlapConfig.defaults())) {
 *     for (...) {
 *         // forward, backward; as soon as a gradient exists:
 *         synchronizer.gradientReady("layer2.bias", gradient);
 *         ...
 *         synchronizer.finishStep(); // every array handed over now holds the average of all ranks
 *         // optimizer
 *     }
 * }
 * }</pre>
 *
 * <p><b>Gradients</b> are arrays or {@link MemorySegment}s, native or on the heap, of the parameter's length. From {@code
 * gradientReady} until {@code finishStep} returns, their memory belongs to the synchronizer, which writes the average
 * there; every gradient is handed over once in a step.
 *
 * <p><b>Threads.</b> {@code gradientReady} may be called by several threads for different parameters. {@code finishStep} is
 * for one thread, after those calls have returned. {@code close} may be called by any thread at any time.
 *
 * <p><b>Errors.</b> Whatever goes wrong on one rank (an unknown name, a wrong length, a gradient missing, a rank that does
 * not come) is a {@link GradientException} there at once, and on every other rank in its next call at the latest, naming
 * step, bucket, parameters and ranks. After it, the synchronizer can only be closed; gradients of that step may hold
 * anything.
 */
public final class GradientSynchronizer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GradientSynchronizer.class);

    private final Communicator communicator;
    private final KernelEngine engine;
    private final boolean ownsEngine;
    private final OverlapConfig config;
    private final List<Parameter> parameters;
    private final Map<String, Integer> indices;
    private final long[] gradientBytes;
    private final GradientHandles handles;
    private final BucketMemory memory;
    private final OverlapScheduler scheduler;
    private final StepMeter meter = new StepMeter();
    private final AtomicIntegerArray handedOver;
    private final AtomicBoolean finishing = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private GradientSynchronizer(
            Communicator communicator,
            List<Parameter> parameters,
            OverlapConfig config,
            KernelEngine engine,
            boolean ownsEngine) {
        this.communicator = communicator;
        this.engine = engine;
        this.ownsEngine = ownsEngine;
        this.config = config;
        this.parameters = List.copyOf(parameters);
        indices = new HashMap<>();
        gradientBytes = new long[parameters.size()];
        List<Parameter> compressed = new ArrayList<>();
        for (int index = 0; index < parameters.size(); index++) {
            Parameter parameter = parameters.get(index);
            indices.put(parameter.name(), index);
            gradientBytes[index] = parameter.bytes();
            if (config.compression() instanceof Compression.TopK && parameter.type() == ElementType.FLOAT32) {
                compressed.add(parameter);
            }
        }
        handles = new GradientHandles(parameters.size());
        handedOver = new AtomicIntegerArray(parameters.size());
        memory = new BucketMemory(communicator, this.parameters);
        BucketMemory residuals = new BucketMemory(communicator, compressed);
        BucketSet buckets = BucketSet.build(
                BucketPlanner.plan(this.parameters.reversed(), config),
                indices,
                config.compression(),
                communicator,
                engine,
                memory,
                residuals);
        scheduler = new OverlapScheduler(communicator, buckets, config, meter);
    }

    /** {@link #create(Communicator, List, OverlapConfig, KernelEngine)} with a cpu engine of its own, of one thread. */
    public static GradientSynchronizer create(
            Communicator communicator, List<Parameter> parameters, OverlapConfig config) {
        return open(communicator, parameters, config, KernelEngine.cpu(1), true);
    }

    /**
     * Opens a synchronizer: a collective, which all ranks call alike. It splits a group of its own off the communicator, so
     * that its collectives and the caller's do not get in each other's way.
     *
     * @param communicator stays the caller's, to close after the synchronizer
     * @param parameters in registration order, which is the order of the forward pass; the same on every rank
     * @param engine packs and compresses; stays the caller's, to close after the synchronizer
     * @throws GradientException on every rank alike, when the ranks' parameters or settings differ
     * @throws CollectiveException when a rank does not come
     */
    public static GradientSynchronizer create(
            Communicator communicator, List<Parameter> parameters, OverlapConfig config, KernelEngine engine) {
        return open(communicator, parameters, config, engine, false);
    }

    private static GradientSynchronizer open(
            Communicator parent,
            List<Parameter> parameters,
            OverlapConfig config,
            KernelEngine engine,
            boolean ownsEngine) {
        Communicator own = null;
        GradientSynchronizer synchronizer = null;
        boolean opened = false;
        try {
            Handshake.check(parent, Description.of(parameters, config));
            own = parent.split(0, parent.rank());
            synchronizer = new GradientSynchronizer(own, parameters, config, engine, ownsEngine);
            own.barrier(); // a rank that could not build its buckets has aborted the group by now
            synchronizer.start();
            opened = true;
            return synchronizer;
        } catch (CollectiveException | GradientException e) {
            throw e;
        } catch (Throwable e) {
            String message = "Rank " + parent.rank() + " could not build its buckets: " + e;
            if (own != null) {
                own.abort(message);
            }
            throw new GradientException(message, e);
        } finally {
            if (!opened) {
                if (synchronizer != null) {
                    synchronizer.close();
                } else {
                    if (own != null) {
                        own.close();
                    }
                    if (ownsEngine) {
                        engine.close();
                    }
                }
            }
        }
    }

    private void start() {
        scheduler.start();
        List<PlannedBucket> plan = plan();
        LOG.debug(
                "Rank {} of {} ({}): {} parameters in {} buckets, {} bytes of gradients; {}; kernels: {}",
                communicator.rank(),
                communicator.size(),
                communicator.transport(),
                parameters.size(),
                plan.size(),
                parameters.stream().mapToLong(Parameter::bytes).sum(),
                config,
                engine.description());
    }

    /**
     * The index of a parameter in the list given at creation, for loops that look names up once.
     *
     * @throws GradientException when there is no such parameter; like every error in a step, on all ranks
     */
    public int index(String name) {
        Integer index = indices.get(name);
        if (index == null) {
            ensureUsable();
            throw reject("there is no parameter '" + name + "'"
                    + (indices.isEmpty() ? "." : "; did you mean '" + Names.nearest(name, indices.keySet()) + "'?"));
        }
        return index;
    }

    /** Hands over a float32 gradient; the array belongs to the synchronizer until {@link #finishStep()} returns. */
    public void gradientReady(String name, float[] gradient) {
        gradientReady(index(name), gradient);
    }

    /** Hands over a float64 gradient; the array belongs to the synchronizer until {@link #finishStep()} returns. */
    public void gradientReady(String name, double[] gradient) {
        gradientReady(index(name), gradient);
    }

    /**
     * Hands over a gradient of any type; its memory belongs to the synchronizer until {@link #finishStep()} returns. Handing
     * over the segment from {@link #gradientView} skips the copy.
     */
    public void gradientReady(String name, MemorySegment gradient) {
        gradientReady(index(name), gradient);
    }

    /** {@link #gradientReady(String, float[])} by index. */
    public void gradientReady(int index, float[] gradient) {
        requireType(index, ElementType.FLOAT32, "float[]");
        handOver(index, handles.of(index, gradient));
    }

    /** {@link #gradientReady(String, double[])} by index. */
    public void gradientReady(int index, double[] gradient) {
        requireType(index, ElementType.FLOAT64, "double[]");
        handOver(index, handles.of(index, gradient));
    }

    /** {@link #gradientReady(String, MemorySegment)} by index. */
    public void gradientReady(int index, MemorySegment gradient) {
        requireIndex(index);
        if (gradient.isReadOnly()) {
            throw reject("the gradient of " + parameters.get(index)
                    + " is a read-only segment, which cannot receive the average.");
        }
        if (!scheduler.canAccess(gradient)) {
            throw reject("the gradient of " + parameters.get(index)
                    + " lies in a confined arena, which the communication thread cannot read; use Arena.ofShared(),"
                    + " or dedicatedCommThread(false).");
        }
        handOver(index, gradient);
    }

    private void handOver(int index, MemorySegment gradient) {
        BucketSet buckets = scheduler.buckets();
        GradientBucket bucket = buckets.bucketOf(index);
        int slot = buckets.slotOf(index);
        if (gradient.byteSize() != gradientBytes[index]) {
            throw wrongLength(index, gradient.byteSize());
        }
        if (memory.overlaps(gradient) && !gradient.equals(bucket.exchange().view(slot))) {
            throw reject("the gradient of " + parameters.get(index)
                    + " lies in the buckets' memory, but is not its own view; ask for gradientView again.");
        }
        if (!handedOver.compareAndSet(index, 0, 1)) {
            throw reject("the gradient of " + parameters.get(index) + " was handed over twice.");
        }
        boolean ready;
        try {
            ready = bucket.put(slot, gradient);
        } catch (RuntimeException e) {
            throw reject("the gradient of " + parameters.get(index) + " could not be packed: " + e.getMessage(), e);
        }
        if (ready) {
            scheduler.bucketReady();
        }
    }

    /**
     * Returns when every gradient handed over in this step holds the average of all ranks, with the same bits on all of
     * them.
     *
     * @throws GradientException on every rank, when gradients are missing on one, or a collective has failed
     */
    public void finishStep() {
        ensureUsable();
        if (!finishing.compareAndSet(false, true)) {
            throw reject("finishStep() was called by two threads at once.");
        }
        try {
            long computeEnd = System.nanoTime();
            requireAllHandedOver();
            scheduler.finishStep();
            ensureUsable();
            BucketSet buckets = scheduler.buckets();
            for (int index = 0; index < parameters.size(); index++) {
                handedOver.set(index, 0);
            }
            meter.finishStep(buckets, config, computeEnd);
            scheduler.nextStep(buckets);
        } finally {
            finishing.set(false);
        }
    }

    private void requireAllHandedOver() {
        List<String> missing = null;
        for (int index = 0; index < parameters.size(); index++) {
            if (handedOver.get(index) == 0) {
                missing = missing == null ? new ArrayList<>() : missing;
                missing.add(parameters.get(index).name());
            }
        }
        if (missing != null) {
            throw reject("finishStep() was called without " + missing.size() + " of " + parameters.size()
                    + " gradients: " + Names.list(missing) + ". Hand over every gradient in every step.");
        }
    }

    /**
     * Where in its bucket a gradient lies. A backward pass that writes the gradient there, and hands over this same segment,
     * saves the copy there and back; after {@link #finishStep()} it holds the average, until the next gradient is written.
     *
     * @return a native segment, valid until {@link #close()}
     * @throws GradientException when the gradient's bucket holds 16-bit numbers, see {@link Compression}
     */
    public MemorySegment gradientView(String name) {
        ensureUsable();
        int index = index(name);
        BucketSet buckets = scheduler.buckets();
        MemorySegment view = buckets.bucketOf(index).exchange().view(buckets.slotOf(index));
        if (view.equals(MemorySegment.NULL)) {
            throw new GradientException("Parameter " + parameters.get(index) + " has no view, since the compression "
                    + config.compression() + " keeps its bucket in 16 bits; hand over an array.");
        }
        return view;
    }

    /** The buckets, in the order in which they go. */
    public List<PlannedBucket> plan() {
        return scheduler.buckets().plan();
    }

    /** What this rank has done so far. Safe from any thread. */
    public SynchronizerStats stats() {
        return meter.stats();
    }

    /**
     * Leaves the other ranks, stops the thread and frees the buckets. Always returns, also while other ranks wait for this
     * one: they get an exception that names it. A second call does nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        int begun = 0;
        for (int index = 0; index < parameters.size(); index++) {
            begun += handedOver.get(index);
        }
        if (begun > 0 || finishing.get()) {
            scheduler.fail(new GradientException("Rank " + communicator.rank() + ", step " + scheduler.step()
                    + ": the synchronizer was closed in the middle of the step, after " + begun + " of "
                    + parameters.size() + " gradients were handed over."));
        }
        // The thread first: it must not find memory freed under it.
        scheduler.stop();
        try {
            scheduler.buckets().close();
        } finally {
            communicator.close();
            if (ownsEngine) {
                engine.close();
            }
        }
    }

    private void ensureUsable() {
        if (closed.get()) {
            throw new GradientException("This synchronizer is closed; create another for further steps.");
        }
        GradientException failure = scheduler.failure();
        if (failure != null) {
            throw new GradientException(String.valueOf(failure.getMessage()), failure);
        }
    }

    private void requireIndex(int index) {
        ensureUsable();
        if (index < 0 || index >= gradientBytes.length) {
            throw reject("there is no parameter of index " + index + "; there are " + gradientBytes.length + ".");
        }
    }

    private void requireType(int index, ElementType type, String given) {
        requireIndex(index);
        if (parameters.get(index).type() != type) {
            throw reject("the gradient of " + parameters.get(index) + " was handed over as a " + given
                    + ", which holds " + type + ".");
        }
    }

    private GradientException wrongLength(int index, long bytes) {
        Parameter parameter = parameters.get(index);
        int elementBytes = parameter.type().bytes();
        String given = bytes % elementBytes == 0 ? bytes / elementBytes + " elements" : bytes + " bytes";
        return reject("the gradient of " + parameter + " has " + given + ", but " + parameter.elements()
                + " elements are expected.");
    }

    private GradientException reject(String what) {
        return reject(what, null);
    }

    /** This rank cannot go on, so no rank can: tells the others, and returns what to throw here. */
    private GradientException reject(String what, @Nullable Throwable cause) {
        String message = "Rank " + communicator.rank() + ", step " + scheduler.step() + ": " + what;
        GradientException exception =
                cause == null ? new GradientException(message) : new GradientException(message, cause);
        scheduler.fail(exception);
        return exception;
    }
}
