package dev.slipstream.collectives.strategy;

import java.lang.foreign.MemorySegment;

/** All-gather around a ring: in each of n - 1 steps every rank passes on to the next the block that it got last. */
public final class RingAllGather {
    private final Wire wire;

    public RingAllGather(Wire wire) {
        this.wire = wire;
    }

    /**
     * Gathers blocks of {@code lengths} bytes in rank order.
     *
     * @param send this rank's block
     * @param receive all blocks
     */
    public void run(MemorySegment send, MemorySegment receive, long[] lengths) {
        int rank = wire.rank();
        int size = wire.size();
        long[] starts = new long[size + 1];
        for (int i = 0; i < size; i++) {
            starts[i + 1] = starts[i] + lengths[i];
        }
        MemorySegment.copy(send, 0, receive, starts[rank], send.byteSize());
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        for (int step = 0; step < size - 1; step++) {
            int out = (rank + size - step) % size;
            int in = (previous + size - step) % size;
            Wire.Transfer receiving = wire.receive(receive.asSlice(starts[in], lengths[in]), previous);
            Wire.Transfer sending = wire.send(receive.asSlice(starts[out], lengths[out]), next);
            wire.await(receiving);
            wire.await(sending);
        }
    }
}
