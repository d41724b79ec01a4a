package uk.ac.manchester.tornado.api.types.arrays;

import dev.slipstream.emulator.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** A double array in native memory, which tasks take as an argument. */
public final class DoubleArray extends TornadoNativeArray {
    private static final ValueLayout.OfDouble LAYOUT = ValueLayout.JAVA_DOUBLE;

    /** An array of zeros. */
    public DoubleArray(int numberOfElements) {
        this(allocate(numberOfElements, LAYOUT), null);
    }

    private DoubleArray(MemorySegment memory, @Nullable DeviceBuffer device) {
        super(memory, LAYOUT, device);
    }

    /** A copy of a Java array. */
    public static DoubleArray fromArray(double[] values) {
        return fromSegment(MemorySegment.ofArray(values));
    }

    /** An array of the given values. */
    public static DoubleArray fromElements(double... values) {
        return fromArray(values);
    }

    /** A copy of a segment that holds the elements alone. */
    public static DoubleArray fromSegment(MemorySegment segment) {
        return new DoubleArray(copy(segment, LAYOUT), null);
    }

    /** The segment itself, without a copy: the array header and then the elements. Writes the header. */
    public static DoubleArray fromSegmentShallow(MemorySegment segment) {
        return new DoubleArray(adopt(segment, LAYOUT), null);
    }

    /** A copy as a Java array. */
    public double[] toHeapArray() {
        return getSegment().toArray(LAYOUT);
    }

    public void set(int index, double value) {
        memory.set(LAYOUT, writing(index), value);
    }

    public double get(int index) {
        return memory.get(LAYOUT, reading(index));
    }

    /** Sets every element, on the host. */
    public void init(double value) {
        for (int index = 0; index < getSize(); index++) {
            set(index, value);
        }
    }

    @Override
    public void clear() {
        getSegment().fill((byte) 0);
    }

    @Override
    DoubleArray onDevice(DeviceBuffer buffer) {
        return new DoubleArray(buffer.memory(), buffer);
    }
}
