package uk.ac.manchester.tornado.api.types.arrays;

import dev.slipstream.emulator.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** A float array in native memory, which tasks take as an argument. */
public final class FloatArray extends TornadoNativeArray {
    private static final ValueLayout.OfFloat LAYOUT = ValueLayout.JAVA_FLOAT;

    /** An array of zeros. */
    public FloatArray(int numberOfElements) {
        this(allocate(numberOfElements, LAYOUT), null);
    }

    private FloatArray(MemorySegment memory, @Nullable DeviceBuffer device) {
        super(memory, LAYOUT, device);
    }

    /** A copy of a Java array. */
    public static FloatArray fromArray(float[] values) {
        return fromSegment(MemorySegment.ofArray(values));
    }

    /** An array of the given values. */
    public static FloatArray fromElements(float... values) {
        return fromArray(values);
    }

    /** A copy of a segment that holds the elements alone. */
    public static FloatArray fromSegment(MemorySegment segment) {
        return new FloatArray(copy(segment, LAYOUT), null);
    }

    /** The segment itself, without a copy: the array header and then the elements. Writes the header. */
    public static FloatArray fromSegmentShallow(MemorySegment segment) {
        return new FloatArray(adopt(segment, LAYOUT), null);
    }

    /** A copy as a Java array. */
    public float[] toHeapArray() {
        return getSegment().toArray(LAYOUT);
    }

    public void set(int index, float value) {
        memory.set(LAYOUT, writing(index), value);
    }

    public float get(int index) {
        return memory.get(LAYOUT, reading(index));
    }

    /** Sets every element, on the host. */
    public void init(float value) {
        for (int index = 0; index < getSize(); index++) {
            set(index, value);
        }
    }

    @Override
    public void clear() {
        getSegment().fill((byte) 0);
    }

    @Override
    FloatArray onDevice(DeviceBuffer buffer) {
        return new FloatArray(buffer.memory(), buffer);
    }
}
