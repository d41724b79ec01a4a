package uk.ac.manchester.tornado.api;

import org.jspecify.annotations.Nullable;

/** How many work-items a task has in each dimension, and how many of them form a group. */
public interface WorkerGrid {
    int dimension();

    long[] getGlobalWork();

    /** The size of a group, or null where the runtime chooses. */
    long @Nullable [] getLocalWork();

    long @Nullable [] getNumberOfWorkgroups();

    long[] getGlobalOffset();

    void setGlobalWork(long x, long y, long z);

    void setLocalWork(long x, long y, long z);

    void setNumberOfWorkgroupsToNull();

    void setLocalWorkToNull();

    void setGlobalOffset(long x, long y, long z);
}
