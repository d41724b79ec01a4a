package uk.ac.manchester.tornado.api;

import org.jspecify.annotations.Nullable;

/** What the grids of one to three dimensions share. */
public abstract class AbstractWorkerGrid implements WorkerGrid {
    protected long[] globalWork;
    protected long @Nullable [] localWork;
    protected long @Nullable [] numOfWorkgroups;
    protected long[] globalOffset = new long[3];

    protected AbstractWorkerGrid(long x, long y, long z) {
        globalWork = new long[] {x, y, z};
    }

    @Override
    public long[] getGlobalWork() {
        return globalWork;
    }

    @Override
    public long @Nullable [] getLocalWork() {
        return localWork;
    }

    @Override
    public long @Nullable [] getNumberOfWorkgroups() {
        return numOfWorkgroups;
    }

    @Override
    public long[] getGlobalOffset() {
        return globalOffset;
    }

    @Override
    public void setGlobalWork(long x, long y, long z) {
        globalWork = new long[] {x, y, z};
    }

    @Override
    public void setLocalWork(long x, long y, long z) {
        localWork = new long[] {x, y, z};
        numOfWorkgroups = new long[] {globalWork[0] / x, globalWork[1] / y, globalWork[2] / z};
    }

    @Override
    public void setNumberOfWorkgroupsToNull() {
        numOfWorkgroups = null;
    }

    @Override
    public void setLocalWorkToNull() {
        localWork = null;
    }

    @Override
    public void setGlobalOffset(long x, long y, long z) {
        globalOffset = new long[] {x, y, z};
    }
}
