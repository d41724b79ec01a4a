package dev.slipstream.scheduler;

import dev.slipstream.collectives.CollectiveHandle;
import java.lang.foreign.MemorySegment;

/**
 * How one bucket's gradients are packed, compressed, exchanged and unpacked: what differs between compressions. In one
 * step, every slot is put, then the bucket is launched, completed when the handle is done, and its slots are taken.
 *
 * <p>{@link #put} may be called by several threads for different slots; the rest belongs to the communication thread, which
 * comes after all puts.
 */
interface BucketExchange extends AutoCloseable {
    /** Packs one gradient. */
    void put(int slot, MemorySegment gradient);

    /** Compresses, and starts the collective. The same call on every rank. */
    CollectiveHandle launch();

    /** After the handle is done: decompresses, so that the bucket holds averages. */
    void complete();

    /** Unpacks the average of one gradient. */
    void take(int slot, MemorySegment gradient);

    /** Where the slot lies when the bucket holds gradients in their own format, else {@link MemorySegment#NULL}. */
    MemorySegment view(int slot);

    /** Bytes that this rank puts on the wire, with a bandwidth-optimal algorithm. */
    long bytesOnWire();

    @Override
    void close();
}
