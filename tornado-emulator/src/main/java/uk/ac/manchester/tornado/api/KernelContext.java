package uk.ac.manchester.tornado.api;

import dev.slipstream.emulator.WorkItem;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * What a kernel knows of its place in the grid, and what the work-items of a group share. The context that a task is given
 * as an argument only marks the place; each work-item gets one of its own.
 *
 * <p>Left out on purpose: {@code atomicAdd} on a local {@code int[]} (TornadoVM ignores its index on OpenCL), and on
 * FloatArray and DoubleArray (does not compile on OpenCL).
 */
public class KernelContext {
    public final Integer globalIdx;
    public final Integer globalIdy;
    public final Integer globalIdz;
    public final Integer groupIdx;
    public final Integer groupIdy;
    public final Integer groupIdz;
    public final Integer localIdx;
    public final Integer localIdy;
    public final Integer localIdz;
    public final Integer globalGroupSizeX;
    public final Integer globalGroupSizeY;
    public final Integer globalGroupSizeZ;
    public final Integer localGroupSizeX;
    public final Integer localGroupSizeY;
    public final Integer localGroupSizeZ;

    private final @Nullable WorkItem item;

    /** The context outside of a kernel: all indices and sizes are 0. */
    public KernelContext() {
        this(null, new int[WorkItem.PLACE]);
    }

    KernelContext(WorkItem item) {
        this(item, item.place());
    }

    private KernelContext(@Nullable WorkItem item, int[] place) {
        this.item = item;
        globalIdx = place[0];
        globalIdy = place[1];
        globalIdz = place[2];
        groupIdx = place[3];
        groupIdy = place[4];
        groupIdz = place[5];
        localIdx = place[6];
        localIdy = place[7];
        localIdz = place[8];
        globalGroupSizeX = place[9];
        globalGroupSizeY = place[10];
        globalGroupSizeZ = place[11];
        localGroupSizeX = place[12];
        localGroupSizeY = place[13];
        localGroupSizeZ = place[14];
    }

    /** Waits for all work-items of the group; orders local memory only. */
    public void localBarrier() {
        if (item != null) {
            item.barrier(WorkItem.Fence.LOCAL);
        }
    }

    /** Waits for all work-items of the group (not of the grid); orders global memory between them. */
    public void globalBarrier() {
        if (item != null) {
            item.barrier(WorkItem.Fence.GLOBAL);
        }
    }

    /** Local memory: one array for all work-items of a group. It starts undefined. */
    public int[] allocateIntLocalArray(int size) {
        return item == null ? new int[size] : item.allocateLocal(new int[size]);
    }

    /** As {@link #allocateIntLocalArray}. */
    public long[] allocateLongLocalArray(int size) {
        return item == null ? new long[size] : item.allocateLocal(new long[size]);
    }

    /** As {@link #allocateIntLocalArray}. */
    public float[] allocateFloatLocalArray(int size) {
        return item == null ? new float[size] : item.allocateLocal(new float[size]);
    }

    /** As {@link #allocateIntLocalArray}. */
    public double[] allocateDoubleLocalArray(int size) {
        return item == null ? new double[size] : item.allocateLocal(new double[size]);
    }

    /** As {@link #allocateIntLocalArray}. */
    public byte[] allocateByteLocalArray(int size) {
        return item == null ? new byte[size] : item.allocateLocal(new byte[size]);
    }

    /** Adds to an element, atomically. The value from before cannot be had. */
    public void atomicAdd(IntArray array, int index, int val) {
        if (item != null) {
            item.beginAtomic();
        }
        array.set(index, array.get(index) + val);
        if (item != null) {
            item.endAtomic();
        }
    }

    /** Adds to an element, atomically. The value from before cannot be had. */
    public void atomicAdd(LongArray array, int index, long val) {
        if (item != null) {
            item.beginAtomic();
        }
        array.set(index, array.get(index) + val);
        if (item != null) {
            item.endAtomic();
        }
    }
}
