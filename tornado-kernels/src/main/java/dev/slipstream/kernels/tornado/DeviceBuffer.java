package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.Checks;
import dev.slipstream.kernels.KernelBuffer;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.kernels.KernelException;
import java.lang.foreign.MemorySegment;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A buffer, and TornadoVM's arrays over it without a copy: an array's header lies in the headroom, right in front of the
 * payload. Each array has its own twin on the device.
 */
record DeviceBuffer(MemorySegment allocation, MemorySegment payload) implements KernelBuffer {
    static DeviceBuffer of(MemorySegment allocation) {
        return new DeviceBuffer(allocation, Checks.payload(allocation));
    }

    /** The same buffer, if it is one of this engine's. */
    static DeviceBuffer of(KernelBuffer buffer) {
        if (buffer instanceof DeviceBuffer own) {
            return own;
        }
        throw new IllegalArgumentException(
                "A buffer of another engine (" + buffer.getClass().getSimpleName()
                        + ") was given to TornadoVM's; make it with allocate() or wrap() of the same engine.");
    }

    FloatArray floats(long elements) {
        return FloatArray.fromSegmentShallow(withHeader(elements, Float.BYTES));
    }

    DoubleArray doubles(long elements) {
        return DoubleArray.fromSegmentShallow(withHeader(elements, Double.BYTES));
    }

    IntArray ints(long elements) {
        return IntArray.fromSegmentShallow(withHeader(elements, Integer.BYTES));
    }

    ShortArray shorts(long elements) {
        return ShortArray.fromSegmentShallow(withHeader(elements, Short.BYTES));
    }

    private MemorySegment withHeader(long elements, int bytes) {
        // A work-group's worth below the largest int, since grids are rounded up.
        if (elements > Integer.MAX_VALUE - Grids.GROUP) {
            throw new KernelException("TornadoVM's arrays are indexed by int32, but a buffer has " + elements
                    + " elements; use smaller buckets, or --engine cpu.");
        }
        long header = TornadoNativeArray.ARRAY_HEADER;
        return allocation.asSlice(KernelEngine.HEADROOM - header, header + elements * bytes);
    }
}
