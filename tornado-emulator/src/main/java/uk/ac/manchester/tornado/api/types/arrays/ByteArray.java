package uk.ac.manchester.tornado.api.types.arrays;

import dev.slipstream.emulator.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** A byte array in native memory, which tasks take as an argument. */
public final class ByteArray extends TornadoNativeArray {
    private static final ValueLayout.OfByte LAYOUT = ValueLayout.JAVA_BYTE;

    /** An array of zeros. */
    public ByteArray(int numberOfElements) {
        this(allocate(numberOfElements, LAYOUT), null);
    }

    private ByteArray(MemorySegment memory, @Nullable DeviceBuffer device) {
        super(memory, LAYOUT, device);
    }

    /** A copy of a Java array. */
    public static ByteArray fromArray(byte[] values) {
        return fromSegment(MemorySegment.ofArray(values));
    }

    /** An array of the given values. */
    public static ByteArray fromElements(byte... values) {
        return fromArray(values);
    }

    /** A copy of a segment that holds the elements alone. */
    public static ByteArray fromSegment(MemorySegment segment) {
        return new ByteArray(copy(segment, LAYOUT), null);
    }

    /** The segment itself, without a copy: the array header and then the elements. Writes the header. */
    public static ByteArray fromSegmentShallow(MemorySegment segment) {
        return new ByteArray(adopt(segment, LAYOUT), null);
    }

    /** A copy as a Java array. */
    public byte[] toHeapArray() {
        return getSegment().toArray(LAYOUT);
    }

    public void set(int index, byte value) {
        memory.set(LAYOUT, writing(index), value);
    }

    public byte get(int index) {
        return memory.get(LAYOUT, reading(index));
    }

    /** Sets every element, on the host. */
    public void init(byte value) {
        for (int index = 0; index < getSize(); index++) {
            set(index, value);
        }
    }

    @Override
    public void clear() {
        getSegment().fill((byte) 0);
    }

    @Override
    ByteArray onDevice(DeviceBuffer buffer) {
        return new ByteArray(buffer.memory(), buffer);
    }
}
