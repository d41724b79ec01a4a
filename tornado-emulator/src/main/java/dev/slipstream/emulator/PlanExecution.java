package dev.slipstream.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** An execution plan: graphs, their device, and which of them an execution runs. For one thread at a time, and checked. */
public final class PlanExecution {
    private static final Pattern SIZE = Pattern.compile("(\\d+)([KMG]?)B");

    private final List<GraphExecution> graphs = new ArrayList<>();
    private final AtomicBoolean busy = new AtomicBoolean();
    private List<GraphExecution> selected;
    private EmulatedDevice device;
    private @Nullable GridScheduler scheduler;
    private @Nullable GraphExecution last;
    private long memoryLimit = Long.MAX_VALUE;
    private ExecutionFigures figures = ExecutionFigures.NONE;
    private boolean closed;

    /**
     * A plan.
     *
     * @param contexts makes a work-item's KernelContext
     */
    public PlanExecution(List<RecordedGraph> recorded, Function<WorkItem, Object> contexts, TornadoDevice device) {
        AccessClock clock = new AccessClock();
        for (RecordedGraph graph : recorded) {
            graphs.add(new GraphExecution(graph, contexts, clock));
        }
        selected = List.copyOf(graphs);
        this.device = emulated(device);
    }

    private static EmulatedDevice emulated(TornadoDevice device) {
        if (device instanceof EmulatedDevice emulated) {
            return emulated;
        }
        throw new TornadoRuntimeException("The emulator cannot use the device " + device + ".");
    }

    public void execute() {
        if (closed) {
            throw new TornadoRuntimeException("The execution plan is closed.");
        }
        if (!busy.compareAndSet(false, true)) {
            throw new TornadoRuntimeException("Two threads execute one plan at the same time; give each its own.");
        }
        try {
            ExecutionFigures sum = ExecutionFigures.NONE;
            for (GraphExecution graph : selected) {
                sum = sum.plus(execute(graph));
            }
            figures = sum;
            if (!selected.isEmpty()) {
                last = selected.getLast();
            }
        } finally {
            busy.set(false);
        }
    }

    private ExecutionFigures execute(GraphExecution graph) {
        EmulatorOptions options = device.options();
        List<Grid> grids = graph.grids(scheduler, options);
        long start = System.nanoTime();
        graph.consume(last);
        graph.allocate(device, memoryLimit);
        long uploaded = graph.upload(options.checks());
        long kernels = System.nanoTime();
        graph.runTasks(grids, options);
        long downloads = System.nanoTime();
        long downloaded = 0;
        for (TornadoNativeArray array : graph.results()) {
            downloaded += array.getNumBytesOfSegment();
            download(graph, array, 0, array.getNumBytesOfSegment());
        }
        if (options.checks()) {
            graph.checkResults();
        }
        long end = System.nanoTime();
        return new ExecutionFigures(
                end - start,
                kernels - start,
                downloads - kernels,
                end - downloads,
                uploaded,
                downloaded,
                graph.memoryUsage());
    }

    private void download(GraphExecution graph, TornadoNativeArray array, long offset, long bytes) {
        graph.download(array, offset, bytes);
        graphs.forEach(each -> each.noteDownload(array, device.options().checks()));
    }

    /** Copies an array to the host, on demand. */
    public void download(Object object) {
        TornadoNativeArray array = RecordedGraph.array("of the plan", object);
        download(array, TornadoNativeArray.ARRAY_HEADER, array.getNumBytesOfSegment());
    }

    /**
     * Copies a part of an array to the host, on demand.
     *
     * @param offset in bytes, the header included
     */
    public void download(TornadoNativeArray array, long offset, long bytes) {
        List<GraphExecution> holders =
                selected.stream().filter(graph -> graph.buffer(array) != null).toList();
        for (GraphExecution holder : holders.isEmpty() ? selected : holders) {
            download(holder, array, offset - TornadoNativeArray.ARRAY_HEADER, bytes);
        }
    }

    /** Refuses what an execution would refuse before it starts. */
    public void validate() {
        selected.forEach(graph -> graph.grids(scheduler, device.options()));
    }

    public void selectGraph(int index) {
        selected = List.of(graph(index));
    }

    public void selectAllGraphs() {
        selected = List.copyOf(graphs);
    }

    private GraphExecution graph(int index) {
        if (index < 0 || index >= graphs.size()) {
            throw new TornadoRuntimeException(
                    "The plan has " + graphs.size() + " task graphs; number " + index + " does not exist.");
        }
        return graphs.get(index);
    }

    public void setGridScheduler(GridScheduler grids) {
        for (String task : grids.keySet()) {
            if (graphs.stream().noneMatch(graph -> graph.has(task))) {
                throw new TornadoRuntimeException(
                        "The GridScheduler has a grid for " + task + ", which is no task of the plan.");
            }
        }
        scheduler = grids;
    }

    /** Moves the plan to a device; what it had on another is freed. */
    public void setDevice(TornadoDevice other) {
        EmulatedDevice emulated = emulated(other);
        if (emulated != device) {
            freeAll();
            device = emulated;
        }
    }

    public TornadoDevice device(int index) {
        graph(index);
        return device;
    }

    /**
     * Limits the memory of one graph.
     *
     * @param limit a whole number of B, KB, MB or GB
     */
    public void setMemoryLimit(String limit) {
        Matcher size = SIZE.matcher(limit.toUpperCase(Locale.ROOT));
        if (!size.matches()) {
            throw new IllegalArgumentException("A memory limit looks like 512MB, not like " + limit + ".");
        }
        int shift = " KMG".indexOf(size.group(2).isEmpty() ? " " : size.group(2)) * 10;
        memoryLimit = Long.parseLong(size.group(1)) << shift;
    }

    public void removeMemoryLimit() {
        memoryLimit = Long.MAX_VALUE;
    }

    public long deviceMemoryUsage() {
        return selected.stream().mapToLong(GraphExecution::memoryUsage).sum();
    }

    /** The figures of the last execution. */
    public ExecutionFigures figures() {
        return figures;
    }

    /** Frees the arrays of the chosen graphs; the next execution transfers them anew. */
    public void freeDeviceMemory() {
        selected.forEach(graph -> graph.free(device));
    }

    private void freeAll() {
        graphs.forEach(graph -> graph.free(device));
        last = null;
    }

    public void close() {
        freeAll();
        closed = true;
    }
}
