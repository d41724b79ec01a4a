package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A part of an array, for {@link TornadoExecutionResult#transferToHost(DataRange)}. */
public class DataRange {
    private final TornadoNativeArray array;
    private long offset;
    private long size;
    private boolean materialized;

    public DataRange(TornadoNativeArray tornadoNativeArray) {
        array = tornadoNativeArray;
    }

    /** The first element; 0 by default. */
    public DataRange withOffset(long offset) {
        this.offset = offset;
        return this;
    }

    /** How many elements; by default as many as the array has. */
    public DataRange withSize(long size) {
        this.size = size;
        return this;
    }

    /** Where the part starts in the array with its header, in bytes. */
    public long getOffset() {
        requireMaterialized();
        return TornadoNativeArray.ARRAY_HEADER + offset * array.getElementSize();
    }

    /** How long the part is, in bytes. */
    public long getPartialSize() {
        requireMaterialized();
        return size == 0 ? array.getNumBytesOfSegment() : size * array.getElementSize();
    }

    /** Fixes the part, and checks that the array holds it. */
    public void materialize() {
        long elements = size == 0 ? array.getSize() : size;
        if (offset + elements > array.getSize()) {
            throw new TornadoRuntimeException("A range of " + elements + " elements from element " + offset
                    + " does not lie in an array of " + array.getSize() + ".");
        }
        materialized = true;
    }

    public TornadoNativeArray getArray() {
        return array;
    }

    private void requireMaterialized() {
        if (!materialized) {
            throw new TornadoRuntimeException("A DataRange has no bounds before materialize().");
        }
    }
}
