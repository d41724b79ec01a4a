package dev.slipstream.emulator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** One graph of a plan: its arrays on the device, and its execution. */
final class GraphExecution {
    private final RecordedGraph graph;
    private final Function<WorkItem, Object> contexts;
    private final AccessClock clock;
    /** Every array on the device, those of {@link #owned} and those taken from another graph. */
    private final IdentityHashMap<TornadoNativeArray, DeviceBuffer> buffers = new IdentityHashMap<>();

    private final List<DeviceBuffer> owned = new ArrayList<>();
    /** What the host's side of an array transferred at the first execution was when it was last transferred. */
    private final IdentityHashMap<TornadoNativeArray, MemorySegment> transferred = new IdentityHashMap<>();

    GraphExecution(RecordedGraph graph, Function<WorkItem, Object> contexts, AccessClock clock) {
        this.graph = graph;
        this.contexts = contexts;
        this.clock = clock;
    }

    String name() {
        return graph.name();
    }

    boolean has(String task) {
        return graph.tasks().stream().anyMatch(each -> each.name().equals(task));
    }

    @Nullable
    DeviceBuffer buffer(TornadoNativeArray array) {
        DeviceBuffer buffer = buffers.get(array);
        return buffer == null || buffer.freed() ? null : buffer;
    }

    /** Takes what this graph consumes from the graph that was executed before it. */
    void consume(@Nullable GraphExecution last) {
        for (RecordedGraph.Consumption consumption : graph.consumptions()) {
            TornadoNativeArray array = consumption.array();
            DeviceBuffer buffer = last == null ? null : last.buffer(array);
            if (last == null || buffer == null || !last.offers(consumption, this)) {
                throw new KernelFault(
                        KernelFault.Kind.MISSING_TRANSFER,
                        name(),
                        "consumeFromDevice" + (consumption.any() ? "" : " from " + consumption.source()) + " of a "
                                + RecordedGraph.describe(array) + ", but "
                                + (last == null
                                        ? "no graph was executed before"
                                        : "the graph executed before, " + last.name() + ", does not leave it there")
                                + ". Execute the graph that has persistOnDevice for it on its own just before"
                                + " (withGraph).");
            }
            buffers.put(array, buffer);
        }
    }

    private boolean offers(RecordedGraph.Consumption consumption, GraphExecution consumer) {
        return this == consumer
                || (leaves(consumption.array())
                        && (consumption.any() || consumption.source().equals(name())));
    }

    private boolean leaves(TornadoNativeArray array) {
        return graph.downloads().stream().anyMatch(each -> each.array() == array && !each.everyExecution())
                || graph.consumptions().stream().anyMatch(each -> each.array() == array);
    }

    /** Refuses grids that a device would not take. */
    List<Grid> grids(@Nullable GridScheduler scheduler, EmulatorOptions options) {
        List<Grid> grids = new ArrayList<>();
        for (RecordedTask task : graph.tasks()) {
            grids.add(
                    task.context() < 0
                            ? Grid.SINGLE
                            : Grid.of(task.name(), scheduler == null ? null : scheduler.get(task.name()), options));
        }
        return grids;
    }

    /** Takes device memory for the arrays that have none yet. */
    void allocate(EmulatedDevice device, long memoryLimit) {
        for (RecordedGraph.Upload upload : graph.uploads()) {
            allocate(upload.array(), device);
        }
        for (RecordedTask task : graph.tasks()) {
            for (Object argument : task.arguments()) {
                if (argument instanceof TornadoNativeArray array) {
                    allocate(array, device);
                }
            }
        }
        if (memoryUsage() > memoryLimit) {
            throw new TornadoMemoryException("Graph " + name() + " needs " + memoryUsage()
                    + " bytes on the device, and the plan's memory limit is " + memoryLimit + ".");
        }
    }

    private void allocate(TornadoNativeArray array, EmulatedDevice device) {
        if (buffer(array) == null) {
            DeviceBuffer buffer =
                    new DeviceBuffer(array, clock, device.options().checks());
            device.take(buffer.footprint());
            owned.add(buffer);
            buffers.put(array, buffer);
        }
    }

    long memoryUsage() {
        return owned.stream().mapToLong(DeviceBuffer::footprint).sum();
    }

    void free(EmulatedDevice device) {
        for (DeviceBuffer buffer : owned) {
            buffer.free();
            device.give(buffer.footprint());
        }
        owned.clear();
        buffers.clear();
        transferred.clear();
    }

    /** Copies to the device what is due, and returns how many bytes. */
    long upload(boolean checks) {
        long bytes = 0;
        for (RecordedGraph.Upload upload : graph.uploads()) {
            TornadoNativeArray array = upload.array();
            MemorySegment host = array.getSegment();
            MemorySegment before = transferred.get(array);
            if (upload.everyExecution() || before == null) {
                bytes += host.byteSize();
                existing(array).upload(host);
                if (!upload.everyExecution()) {
                    transferred.put(array, checks ? copy(host) : host);
                }
            } else if (checks && before.mismatch(host) >= 0) {
                throw new KernelFault(
                        KernelFault.Kind.STALE_TRANSFER,
                        name(),
                        "the host changed a " + RecordedGraph.describe(array)
                                + " (at element " + before.mismatch(host) / array.getElementSize()
                                + ") that is transferred to the device at the first execution only; the device would"
                                + " go on with the old values. Transfer it at every execution.");
            }
        }
        return bytes;
    }

    /** The host has received an array, so its side is the device's again. */
    void noteDownload(TornadoNativeArray array, boolean checks) {
        if (checks && transferred.containsKey(array)) {
            transferred.put(array, copy(array.getSegment()));
        }
    }

    private static MemorySegment copy(MemorySegment host) {
        return MemorySegment.ofArray(host.toArray(ValueLayout.JAVA_BYTE));
    }

    void runTasks(List<Grid> grids, EmulatorOptions options) {
        buffers.values().forEach(DeviceBuffer::startExecution);
        for (int number = 0; number < grids.size(); number++) {
            RecordedTask task = graph.tasks().get(number);
            @Nullable
            DeviceBuffer[] arguments = new DeviceBuffer[task.arguments().size()];
            for (int position = 0; position < arguments.length; position++) {
                if (task.arguments().get(position) instanceof TornadoNativeArray array) {
                    arguments[position] = existing(array);
                }
            }
            new Launch(task, arguments, grids.get(number), contexts, clock, options).run();
        }
    }

    private DeviceBuffer existing(TornadoNativeArray array) {
        DeviceBuffer buffer = buffer(array);
        if (buffer == null) {
            throw new IllegalStateException("Graph " + name() + " has lost an array.");
        }
        return buffer;
    }

    /** The arrays to copy to the host after each execution. */
    List<TornadoNativeArray> results() {
        return graph.downloads().stream()
                .filter(RecordedGraph.Download::everyExecution)
                .map(RecordedGraph.Download::array)
                .toList();
    }

    /** Copies a part of an array's elements to the host. */
    void download(TornadoNativeArray array, long offset, long bytes) {
        DeviceBuffer buffer = buffer(array);
        if (buffer == null) {
            throw new KernelFault(
                    KernelFault.Kind.MISSING_TRANSFER,
                    name(),
                    "transferToHost of a " + RecordedGraph.describe(array)
                            + ", which is not on the device: no task has it as an argument.");
        }
        buffer.download(array.getSegment(), offset, bytes);
    }

    /**
     * Refuses an execution whose work nobody can see: a task wrote an array and did not read it, no other task has it, and it
     * stays on the device. (What a task reads may depend on the data, so an array of several tasks is no such case.)
     */
    void checkResults() {
        for (Map.Entry<TornadoNativeArray, DeviceBuffer> entry : buffers.entrySet()) {
            TornadoNativeArray array = entry.getKey();
            boolean kept = leaves(array) || graph.downloads().stream().anyMatch(each -> each.array() == array);
            List<RecordedTask> users = graph.tasks().stream()
                    .filter(task -> position(task, array) >= 0)
                    .toList();
            if (entry.getValue().onlyWritten() && !kept && users.size() == 1) {
                RecordedTask task = users.getFirst();
                throw new KernelFault(
                        KernelFault.Kind.LOST_RESULT,
                        task.name(),
                        "writes argument " + (position(task, array) + 1) + " (" + entry.getValue()
                                + "), which no task reads and neither transferToHost nor persistOnDevice keeps.");
            }
        }
    }

    private static int position(RecordedTask task, TornadoNativeArray array) {
        for (int position = 0; position < task.arguments().size(); position++) {
            if (task.arguments().get(position) == array) {
                return position;
            }
        }
        return -1;
    }
}
