package uk.ac.manchester.tornado.api;

import dev.slipstream.emulator.PlanExecution;
import dev.slipstream.emulator.RecordedGraph;
import java.util.ArrayList;
import java.util.List;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.ProfilerMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;

/**
 * Task graphs, the device that runs them, and their arrays on it. A plan belongs to one thread at a time; several plans may
 * run at once.
 */
public class TornadoExecutionPlan implements AutoCloseable {
    private final PlanExecution execution;

    public TornadoExecutionPlan(ImmutableTaskGraph... immutableTaskGraphs) {
        List<RecordedGraph> graphs = new ArrayList<>();
        for (ImmutableTaskGraph graph : immutableTaskGraphs) {
            graphs.add(graph.recorded());
        }
        execution = new PlanExecution(
                graphs,
                KernelContext::new,
                TornadoRuntimeProvider.getTornadoRuntime().getDefaultDevice());
    }

    /** A device by the index of its backend and its own. */
    public static TornadoDevice getDevice(int driverIndex, int deviceIndex) {
        return TornadoRuntimeProvider.getTornadoRuntime()
                .getBackend(driverIndex)
                .getDevice(deviceIndex);
    }

    /** Executes the chosen graphs in order, and returns when they are done. */
    public TornadoExecutionResult execute() {
        execution.execute();
        return new TornadoExecutionResult(execution);
    }

    /** Chooses one graph for the executions to come. */
    public TornadoExecutionPlan withGraph(int graphIndex) {
        execution.selectGraph(graphIndex);
        return this;
    }

    /** Chooses all graphs for the executions to come. */
    public TornadoExecutionPlan withAllGraphs() {
        execution.selectAllGraphs();
        return this;
    }

    /** Nothing is left to compile here; what an execution would refuse is refused now. */
    public TornadoExecutionPlan withPreCompilation() {
        execution.validate();
        return this;
    }

    public TornadoExecutionPlan withDevice(TornadoDevice device) {
        execution.setDevice(device);
        return this;
    }

    /** The device of a graph. */
    public TornadoDevice getDevice(int immutableTaskGraphIndex) {
        return execution.device(immutableTaskGraphIndex);
    }

    /** Frees the arrays of the chosen graphs on the device. */
    public TornadoExecutionPlan freeDeviceMemory() {
        execution.freeDeviceMemory();
        return this;
    }

    public TornadoExecutionPlan withGridScheduler(GridScheduler gridScheduler) {
        execution.setGridScheduler(gridScheduler);
        return this;
    }

    /** Times are always taken here; the mode is of no consequence. */
    public TornadoExecutionPlan withProfiler(ProfilerMode profilerMode) {
        return this;
    }

    /** As {@link #withProfiler}. */
    public TornadoExecutionPlan withoutProfiler() {
        return this;
    }

    /** Limits the arrays of one graph on the device, for example {@code "512MB"}. */
    public TornadoExecutionPlan withMemoryLimit(String memoryLimit) {
        execution.setMemoryLimit(memoryLimit);
        return this;
    }

    public TornadoExecutionPlan withoutMemoryLimit() {
        execution.removeMemoryLimit();
        return this;
    }

    /** Bytes of the chosen graphs' arrays on the device. */
    public long getCurrentDeviceMemoryUsage() {
        return execution.deviceMemoryUsage();
    }

    @Override
    @SuppressWarnings("RedundantThrows") // TornadoVM's close() declares it.
    public void close() throws TornadoExecutionPlanException {
        execution.close();
    }
}
