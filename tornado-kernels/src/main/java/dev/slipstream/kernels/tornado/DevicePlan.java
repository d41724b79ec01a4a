package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.KernelException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;

/** A kernel's graphs on its device, built once and executed in every step. Belongs to one thread at a time. */
final class DevicePlan implements AutoCloseable {
    /** TornadoVM's compiler is entered by one thread at a time; executions need no lock. */
    private static final Lock BUILDING = new ReentrantLock();

    /** Every graph frees its own arrays. */
    private static final int ALL = -1;

    private final String kernel;
    private final TornadoDevice device;
    private final long bytes;
    private final Consumer<DevicePlan> onClose;
    private final TornadoExecutionPlan plan;
    private int owner = ALL;
    private boolean closed;

    /**
     * A plan of the given graphs.
     *
     * @param kernel how errors name it
     * @param bytes what its arrays take on the device, for the error when they don't fit
     * @param onClose told when this plan is closed
     */
    DevicePlan(
            String kernel,
            TornadoDevice device,
            Grids grids,
            long bytes,
            List<TaskGraph> graphs,
            Consumer<DevicePlan> onClose) {
        this.onClose = onClose;
        this.kernel = kernel;
        this.device = device;
        this.bytes = bytes;
        BUILDING.lock();
        try {
            plan = new TornadoExecutionPlan(
                            graphs.stream().map(TaskGraph::snapshot).toArray(ImmutableTaskGraph[]::new))
                    .withDevice(device)
                    .withGridScheduler(grids.scheduler());
        } catch (RuntimeException | LinkageError e) {
            throw failure("build", e);
        } finally {
            BUILDING.unlock();
        }
    }

    /**
     * Says that one graph has every array of the others, which hand them on (consumeFromDevice): TornadoVM would free an
     * array once for each graph that knows it.
     */
    DevicePlan ownedBy(int graph) {
        owner = graph;
        return this;
    }

    /**
     * Executes one graph for the first time, which compiles it and takes device memory.
     *
     * @param outputs what the graph downloads without having uploaded it; it keeps what it holds
     */
    void prepare(int graph, MemorySegment... outputs) {
        BUILDING.lock();
        try (Arena arena = Arena.ofConfined()) {
            List<MemorySegment> kept = new ArrayList<>();
            for (MemorySegment output : outputs) {
                kept.add(arena.allocate(output.byteSize()).copyFrom(output));
            }
            execute(graph);
            for (int i = 0; i < outputs.length; i++) {
                outputs[i].copyFrom(kept.get(i));
            }
        } catch (KernelException e) {
            close();
            throw e;
        } finally {
            BUILDING.unlock();
        }
    }

    /** Executes one graph, and returns when it is done. */
    void execute(int graph) {
        if (closed) {
            throw new IllegalStateException("The kernel " + kernel + " is closed.");
        }
        try {
            // A plan keeps the result of its own execute() for ever; that of a selected graph it does not.
            var _ = plan.withGraph(graph).execute();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw failure("run", e);
        }
    }

    private KernelException failure(String verb, Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof TornadoOutOfMemoryException || each instanceof TornadoMemoryException) {
                return new KernelException(
                        "The device " + device.getDeviceName() + " has too little memory for the kernel " + kernel
                                + ", whose arrays take " + bytes + " bytes there; use smaller buckets (--bucket-mb,"
                                + " OverlapConfig.bucketBytes), give TornadoVM more (-Dtornado.device.memory=4GB),"
                                + " or use --engine cpu.",
                        cause);
            }
        }
        return new KernelException(
                "TornadoVM did not " + verb + " the kernel " + kernel + " on " + device.getDeviceName() + " ("
                        + said(cause) + "); --engine cpu does without it.",
                cause);
    }

    private static String said(Throwable cause) {
        String message = cause.getMessage();
        String type = cause.getClass().getSimpleName();
        return message == null || message.isBlank()
                ? type
                : type + ": " + message.lines().findFirst().orElse("").strip();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        onClose.accept(this);
        try {
            // It frees what the selected graphs transfer; an execution selects one.
            (owner == ALL ? plan.withAllGraphs() : plan.withGraph(owner)).close();
        } catch (Exception e) {
            throw failure("free", e);
        }
    }
}
