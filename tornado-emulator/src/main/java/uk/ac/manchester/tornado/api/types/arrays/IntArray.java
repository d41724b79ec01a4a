package uk.ac.manchester.tornado.api.types.arrays;

import dev.slipstream.emulator.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** An int array in native memory, which tasks take as an argument. */
public final class IntArray extends TornadoNativeArray {
    private static final ValueLayout.OfInt LAYOUT = ValueLayout.JAVA_INT;

    /** An array of zeros. */
    public IntArray(int numberOfElements) {
        this(allocate(numberOfElements, LAYOUT), null);
    }

    private IntArray(MemorySegment memory, @Nullable DeviceBuffer device) {
        super(memory, LAYOUT, device);
    }

    /** A copy of a Java array. */
    public static IntArray fromArray(int[] values) {
        return fromSegment(MemorySegment.ofArray(values));
    }

    /** An array of the given values. */
    public static IntArray fromElements(int... values) {
        return fromArray(values);
    }

    /** A copy of a segment that holds the elements alone. */
    public static IntArray fromSegment(MemorySegment segment) {
        return new IntArray(copy(segment, LAYOUT), null);
    }

    /** The segment itself, without a copy: the array header and then the elements. Writes the header. */
    public static IntArray fromSegmentShallow(MemorySegment segment) {
        return new IntArray(adopt(segment, LAYOUT), null);
    }

    /** A copy as a Java array. */
    public int[] toHeapArray() {
        return getSegment().toArray(LAYOUT);
    }

    public void set(int index, int value) {
        memory.set(LAYOUT, writing(index), value);
    }

    public int get(int index) {
        return memory.get(LAYOUT, reading(index));
    }

    /** Sets every element, on the host. */
    public void init(int value) {
        for (int index = 0; index < getSize(); index++) {
            set(index, value);
        }
    }

    @Override
    public void clear() {
        getSegment().fill((byte) 0);
    }

    @Override
    IntArray onDevice(DeviceBuffer buffer) {
        return new IntArray(buffer.memory(), buffer);
    }
}
