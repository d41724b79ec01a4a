package dev.slipstream.emulator;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;

/** Short forms for tests. */
final class Plans {
    static final int FIRST = DataTransferMode.FIRST_EXECUTION;
    static final int EVERY = DataTransferMode.EVERY_EXECUTION;
    static final int DEMAND = DataTransferMode.UNDER_DEMAND;

    private Plans() {}

    static WorkerGrid grid(int items, int group) {
        WorkerGrid1D grid = new WorkerGrid1D(items);
        grid.setLocalWork(group, 1, 1);
        return grid;
    }

    /** The grid of at least {@code elements} work-items in groups. */
    static WorkerGrid covering(int elements, int group) {
        return grid(Math.max(1, Math.ceilDiv(elements, group)) * group, group);
    }

    /** Executes a graph once whose tasks all have the same grid. */
    static void execute(TaskGraph graph, WorkerGrid grid, String... tasks) {
        GridScheduler scheduler = new GridScheduler();
        for (String task : tasks) {
            scheduler.addWorkerGrid(graph.getTaskGraphName() + "." + task, grid);
        }
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(scheduler).execute();
        } catch (TornadoExecutionPlanException e) {
            throw new AssertionError(e);
        }
    }
}
