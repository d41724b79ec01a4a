package uk.ac.manchester.tornado.api.types.arrays;

import dev.slipstream.emulator.DeviceBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An array in native memory: a header of {@link #ARRAY_HEADER} bytes, then the elements. Tasks get arrays that look the
 * same and stand for the copy on the device: there each access is checked, and only single elements can be had.
 */
public abstract sealed class TornadoNativeArray
        permits ByteArray, DoubleArray, FloatArray, IntArray, LongArray, ShortArray {
    /** Bytes in front of the elements. */
    public static final long ARRAY_HEADER = Long.getLong("tornado.panama.objectHeader", 16L);

    private static final long ALIGNMENT = 16;

    /** The header and the elements; on the device the elements alone. */
    final MemorySegment memory;

    private final @Nullable DeviceBuffer device;
    private final long header;
    private final int elementSize;
    private final int size;

    TornadoNativeArray(MemorySegment memory, ValueLayout layout, @Nullable DeviceBuffer device) {
        this.memory = memory;
        this.device = device;
        header = device == null ? ARRAY_HEADER : 0;
        elementSize = Math.toIntExact(layout.byteSize());
        size = Math.toIntExact((memory.byteSize() - header) / elementSize);
    }

    static MemorySegment allocate(int elements, ValueLayout layout) {
        return adopt(Arena.ofAuto().allocate(ARRAY_HEADER + elements * layout.byteSize(), ALIGNMENT), layout);
    }

    static MemorySegment copy(MemorySegment elements, ValueLayout layout) {
        MemorySegment memory = allocate(Math.toIntExact(elementsIn(elements.byteSize(), layout)), layout);
        MemorySegment.copy(elements, 0, memory, ARRAY_HEADER, elements.byteSize());
        return memory;
    }

    static MemorySegment adopt(MemorySegment memory, ValueLayout layout) {
        long elements = elementsIn(memory.byteSize() - ARRAY_HEADER, layout);
        memory.set(ValueLayout.JAVA_INT, 0, Math.toIntExact(elements));
        return memory;
    }

    private static long elementsIn(long bytes, ValueLayout layout) {
        if (bytes < 0 || bytes % layout.byteSize() != 0) {
            throw new IllegalArgumentException(
                    bytes + " bytes are no whole number of elements of " + layout.byteSize() + " bytes.");
        }
        return bytes / layout.byteSize();
    }

    public int getSize() {
        return size;
    }

    /** The elements. */
    public MemorySegment getSegment() {
        return getSegmentWithHeader().asSlice(ARRAY_HEADER);
    }

    /** The header and the elements. */
    public MemorySegment getSegmentWithHeader() {
        if (device != null) {
            throw device.hostOnly();
        }
        return memory;
    }

    public long getNumBytesOfSegmentWithHeader() {
        return ARRAY_HEADER + getNumBytesOfSegment();
    }

    public long getNumBytesOfSegment() {
        return (long) size * elementSize;
    }

    /** Sets every element to 0, on the host. */
    protected void clear() {
        getSegment().fill((byte) 0);
    }

    public int getElementSize() {
        return elementSize;
    }

    /** Where an element lies that is about to be read. */
    final long reading(int index) {
        if (device != null) {
            device.read(index);
        } else {
            Objects.checkIndex(index, size);
        }
        return header + (long) index * elementSize;
    }

    /** Where an element lies that is about to be written. */
    final long writing(int index) {
        if (device != null) {
            device.write(index);
        } else {
            Objects.checkIndex(index, size);
        }
        return header + (long) index * elementSize;
    }

    /** The array that a task gets for this one: the same type over the memory of the device. */
    abstract TornadoNativeArray onDevice(DeviceBuffer buffer);
}
