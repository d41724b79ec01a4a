package dev.slipstream.emulator;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * The copy of an array on a device, with two stamps of an {@link AccessClock} for each element: of the last write and of
 * the last read. It starts filled with ones (NaN, -1), as nothing wrote it yet.
 */
public final class DeviceBuffer {
    private final String description;
    private final int elements;
    private final long bytes;
    private final MemorySegment memory;
    private final AccessClock clock;
    private final boolean checks;
    private final long[] writes;
    private final long[] reads;
    private boolean written;
    private boolean writtenByKernel;
    private boolean readByKernel;
    private boolean freed;

    DeviceBuffer(TornadoNativeArray array, AccessClock clock, boolean checks) {
        description = RecordedGraph.describe(array);
        elements = array.getSize();
        bytes = array.getNumBytesOfSegment();
        // longs, so that elements of every type are aligned
        memory = MemorySegment.ofArray(new long[Math.toIntExact((bytes + Long.BYTES - 1) / Long.BYTES)])
                .asSlice(0, bytes)
                .fill((byte) -1);
        this.clock = clock;
        this.checks = checks;
        writes = new long[checks ? elements : 0];
        reads = new long[checks ? elements : 0];
    }

    /** The elements. */
    public MemorySegment memory() {
        return memory;
    }

    /** Checks and notes that the present work-item reads an element. */
    public void read(int index) {
        checkBounds(index, "reads");
        if (!checks) {
            return;
        }
        long write = writes[index];
        if (write == AccessClock.UNWRITTEN) {
            throw clock.launch().unwritten(this, index, written);
        }
        if (clock.atomic()) {
            access(index, write);
            return;
        }
        readByKernel = true;
        if (clock.conflicts(write)) {
            throw clock.launch().race(this, index, write, "reads", "wrote");
        }
        reads[index] = clock.share(reads[index]);
    }

    /** An atomic read and write: ordered against other atomics, not against plain accesses. */
    private void access(int index, long write) {
        boolean shared = (write & AccessClock.ATOMIC) != 0;
        if (!shared && clock.conflicts(write)) {
            throw clock.launch().conflict(this, index, write, "updates atomically");
        }
        if (clock.conflicts(reads[index])) {
            throw clock.launch().race(this, index, reads[index], "updates atomically", "read");
        }
        // After a plain write of its own the element stays a plain one, so that other work-items' atomics conflict.
        if (shared || !clock.own(write)) {
            writes[index] = (shared ? clock.share(write) : clock.now()) | AccessClock.ATOMIC;
        }
        writtenByKernel = true;
    }

    /** Checks and notes that the present work-item writes an element. */
    public void write(int index) {
        checkBounds(index, "writes");
        written = true;
        if (!checks || clock.atomic()) {
            return;
        }
        if (clock.conflicts(writes[index])) {
            throw clock.launch().conflict(this, index, writes[index], "writes");
        }
        if (clock.conflicts(reads[index])) {
            throw clock.launch().race(this, index, reads[index], "writes", "read");
        }
        writes[index] = clock.now();
        writtenByKernel = true;
    }

    private void checkBounds(int index, String verb) {
        if (index < 0 || index >= elements) {
            throw clock.launch().outOfBounds(this, index, verb);
        }
    }

    /** The fault of a kernel that asks for more than single elements. */
    public KernelFault hostOnly() {
        return clock.launch()
                .fault(
                        KernelFault.Kind.UNSUPPORTED,
                        -1,
                        "uses " + clock.launch().name(this) + " as a whole; kernels have get, set and getSize.",
                        null);
    }

    void upload(MemorySegment host) {
        memory.copyFrom(host);
        Arrays.fill(writes, AccessClock.UPLOADED);
        Arrays.fill(reads, AccessClock.UNWRITTEN);
        written = true;
    }

    void download(MemorySegment host, long offset, long length) {
        MemorySegment.copy(memory, offset, host, offset, length);
    }

    void startExecution() {
        writtenByKernel = false;
        readByKernel = false;
    }

    /** Whether a kernel of this execution wrote it and none read it. */
    boolean onlyWritten() {
        return writtenByKernel && !readByKernel;
    }

    void free() {
        freed = true;
    }

    boolean freed() {
        return freed;
    }

    /** Bytes that it takes on the device, TornadoVM's header included. */
    long footprint() {
        return TornadoNativeArray.ARRAY_HEADER + bytes;
    }

    @Override
    public String toString() {
        return description;
    }
}
