package dev.slipstream.emulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Arrays on the host. */
class ArraysTest {
    private static final long HEADER = TornadoNativeArray.ARRAY_HEADER;

    @Test
    void holdsEveryType() {
        ByteArray bytes = ByteArray.fromElements((byte) -1, Byte.MAX_VALUE);
        ShortArray shorts = ShortArray.fromElements((short) -1, Short.MAX_VALUE);
        IntArray ints = IntArray.fromElements(-1, Integer.MAX_VALUE);
        LongArray longs = LongArray.fromElements(-1, Long.MAX_VALUE);
        FloatArray floats = FloatArray.fromElements(-0.0f, Float.MIN_VALUE);
        DoubleArray doubles = DoubleArray.fromElements(-0.0, Double.MIN_VALUE);
        assertEquals(Byte.MAX_VALUE, bytes.get(1));
        assertEquals(Short.MAX_VALUE, shorts.get(1));
        assertEquals(Integer.MAX_VALUE, ints.get(1));
        assertEquals(Long.MAX_VALUE, longs.get(1));
        assertEquals(Float.MIN_VALUE, floats.get(1));
        assertEquals(Double.MIN_VALUE, doubles.get(1));
        doubles.set(0, Double.NaN);
        assertArrayEquals(new double[] {Double.NaN, Double.MIN_VALUE}, doubles.toHeapArray());
        assertEquals(8, doubles.getElementSize());
        assertEquals(HEADER + 4, shorts.getNumBytesOfSegmentWithHeader());
    }

    @Test
    void showsItsElementsAsASegment() {
        FloatArray array = new FloatArray(3);
        array.init(2.5f);
        MemorySegment elements = array.getSegment();
        assertTrue(elements.isNative());
        assertEquals(12, elements.byteSize());
        assertEquals(12, array.getNumBytesOfSegment());
        elements.setAtIndex(ValueLayout.JAVA_FLOAT, 1, 7);
        assertArrayEquals(new float[] {2.5f, 7, 2.5f}, array.toHeapArray());
        assertTrue(elements.asByteBuffer().isDirect());
        array.clear();
        assertArrayEquals(new float[3], array.toHeapArray());
    }

    @Test
    void wrapsMemoryThatIncludesTheHeader() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(HEADER + 3 * Integer.BYTES, 16);
            IntArray array = IntArray.fromSegmentShallow(memory);
            assertEquals(3, array.getSize());
            array.set(2, 42);
            assertEquals(42, memory.get(ValueLayout.JAVA_INT, HEADER + 8));
            assertEquals(memory, array.getSegmentWithHeader());

            IntArray copy = IntArray.fromSegment(array.getSegment());
            array.set(2, 43);
            assertEquals(42, copy.get(2));
            MemorySegment odd = arena.allocate(HEADER + 3);
            assertThrows(IllegalArgumentException.class, () -> IntArray.fromSegmentShallow(odd));
            MemorySegment small = arena.allocate(HEADER - 4);
            assertThrows(IllegalArgumentException.class, () -> IntArray.fromSegmentShallow(small));
        }
    }

    @Test
    void mayBeEmpty() {
        LongArray array = new LongArray(0);
        assertEquals(0, array.getSize());
        assertEquals(0, array.getSegment().byteSize());
        assertThrows(IndexOutOfBoundsException.class, () -> array.get(0));
        assertThrows(IndexOutOfBoundsException.class, () -> array.set(-1, 0));
    }
}
