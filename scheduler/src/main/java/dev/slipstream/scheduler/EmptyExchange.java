package dev.slipstream.scheduler;

import dev.slipstream.collectives.CollectiveHandle;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** A bucket of zero elements: its parameters take part, and nothing is sent, on any rank. */
final class EmptyExchange implements BucketExchange {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private static final CollectiveHandle DONE = new CollectiveHandle() {
        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public void await(Duration timeout) {}

        @Override
        public void await() {}
    };

    @Override
    public void put(int slot, MemorySegment gradient) {}

    @Override
    public CollectiveHandle launch() {
        return DONE;
    }

    @Override
    public void complete() {}

    @Override
    public void take(int slot, MemorySegment gradient) {}

    @Override
    public MemorySegment view(int slot) {
        return NOTHING;
    }

    @Override
    public long bytesOnWire() {
        return 0;
    }

    @Override
    public void close() {}
}
