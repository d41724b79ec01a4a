package uk.ac.manchester.tornado.api.types.arrays;

import dev.slipstream.emulator.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** A long array in native memory, which tasks take as an argument. */
public final class LongArray extends TornadoNativeArray {
    private static final ValueLayout.OfLong LAYOUT = ValueLayout.JAVA_LONG;

    /** An array of zeros. */
    public LongArray(int numberOfElements) {
        this(allocate(numberOfElements, LAYOUT), null);
    }

    private LongArray(MemorySegment memory, @Nullable DeviceBuffer device) {
        super(memory, LAYOUT, device);
    }

    /** A copy of a Java array. */
    public static LongArray fromArray(long[] values) {
        return fromSegment(MemorySegment.ofArray(values));
    }

    /** An array of the given values. */
    public static LongArray fromElements(long... values) {
        return fromArray(values);
    }

    /** A copy of a segment that holds the elements alone. */
    public static LongArray fromSegment(MemorySegment segment) {
        return new LongArray(copy(segment, LAYOUT), null);
    }

    /** The segment itself, without a copy: the array header and then the elements. Writes the header. */
    public static LongArray fromSegmentShallow(MemorySegment segment) {
        return new LongArray(adopt(segment, LAYOUT), null);
    }

    /** A copy as a Java array. */
    public long[] toHeapArray() {
        return getSegment().toArray(LAYOUT);
    }

    public void set(int index, long value) {
        memory.set(LAYOUT, writing(index), value);
    }

    public long get(int index) {
        return memory.get(LAYOUT, reading(index));
    }

    /** Sets every element, on the host. */
    public void init(long value) {
        for (int index = 0; index < getSize(); index++) {
            set(index, value);
        }
    }

    @Override
    public void clear() {
        getSegment().fill((byte) 0);
    }

    @Override
    LongArray onDevice(DeviceBuffer buffer) {
        return new LongArray(buffer.memory(), buffer);
    }
}
