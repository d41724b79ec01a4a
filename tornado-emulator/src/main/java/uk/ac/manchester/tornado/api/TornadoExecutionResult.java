package uk.ac.manchester.tornado.api;

import dev.slipstream.emulator.PlanExecution;

/** What an execution leaves: arrays on the device that can be asked for, and figures. */
public class TornadoExecutionResult {
    private final PlanExecution execution;
    private final TornadoProfilerResult profile;

    TornadoExecutionResult(PlanExecution execution) {
        this.execution = execution;
        profile = new TornadoProfilerResult(execution.figures());
    }

    public TornadoProfilerResult getProfilerResult() {
        return profile;
    }

    /** Copies arrays from the device that the graph leaves there (transferToHost under demand, persistOnDevice). */
    public TornadoExecutionResult transferToHost(Object... objects) {
        for (Object array : objects) {
            execution.download(array);
        }
        return this;
    }

    /** Copies a part of an array from the device. */
    public TornadoExecutionResult transferToHost(DataRange dataRange) {
        dataRange.materialize();
        execution.download(dataRange.getArray(), dataRange.getOffset(), dataRange.getPartialSize());
        return this;
    }

    /** Always: an execution returns when it is done. */
    public boolean isReady() {
        return true;
    }
}
