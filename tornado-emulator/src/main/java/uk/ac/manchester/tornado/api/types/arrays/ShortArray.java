package uk.ac.manchester.tornado.api.types.arrays;

import dev.slipstream.emulator.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** A short array in native memory, which tasks take as an argument. */
public final class ShortArray extends TornadoNativeArray {
    private static final ValueLayout.OfShort LAYOUT = ValueLayout.JAVA_SHORT;

    /** An array of zeros. */
    public ShortArray(int numberOfElements) {
        this(allocate(numberOfElements, LAYOUT), null);
    }

    private ShortArray(MemorySegment memory, @Nullable DeviceBuffer device) {
        super(memory, LAYOUT, device);
    }

    /** A copy of a Java array. */
    public static ShortArray fromArray(short[] values) {
        return fromSegment(MemorySegment.ofArray(values));
    }

    /** An array of the given values. */
    public static ShortArray fromElements(short... values) {
        return fromArray(values);
    }

    /** A copy of a segment that holds the elements alone. */
    public static ShortArray fromSegment(MemorySegment segment) {
        return new ShortArray(copy(segment, LAYOUT), null);
    }

    /** The segment itself, without a copy: the array header and then the elements. Writes the header. */
    public static ShortArray fromSegmentShallow(MemorySegment segment) {
        return new ShortArray(adopt(segment, LAYOUT), null);
    }

    /** A copy as a Java array. */
    public short[] toHeapArray() {
        return getSegment().toArray(LAYOUT);
    }

    public void set(int index, short value) {
        memory.set(LAYOUT, writing(index), value);
    }

    public short get(int index) {
        return memory.get(LAYOUT, reading(index));
    }

    /** Sets every element, on the host. */
    public void init(short value) {
        for (int index = 0; index < getSize(); index++) {
            set(index, value);
        }
    }

    @Override
    public void clear() {
        getSegment().fill((byte) 0);
    }

    @Override
    ShortArray onDevice(DeviceBuffer buffer) {
        return new ShortArray(buffer.memory(), buffer);
    }
}
