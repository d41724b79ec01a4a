package dev.slipstream.collectives.strategy;

import dev.slipstream.collectives.strategy.Wire.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Along a chain and back, chunk by chunk: rank r receives the sum of ranks 0 to r - 1, adds its own contribution and passes it
 * on; the last rank's sums come back the same way. Sums are thus taken in rank order. Both directions are busy at once,
 * with several chunks in flight, so that a long buffer takes hardly longer than its way over one link.
 *
 * <p>In round i a rank handles chunk i on its way up and chunk i - lag on its way down. The lag is the time that a chunk
 * takes to the end of the chain and back; no rank waits for a chunk that needs a later one of its own, whatever the lag.
 */
final class Pipeline extends AllReduce {
    private static final long CHUNK_BYTES = 128 << 10;

    private final int depth;
    private final int lag;
    private final MemorySegment[] incoming;
    private final Transfer[] receivingUp;
    private final Transfer[] sendingUp;
    private final Transfer[] sendingDown;

    Pipeline(Wire wire, int depth) {
        super(wire);
        this.depth = depth;
        lag = depth + 2 * (size - 1 - rank);
        incoming = new MemorySegment[depth];
        receivingUp = transfers(depth);
        sendingUp = transfers(lag + 1);
        sendingDown = transfers(depth);
        for (int i = 0; i < depth; i++) {
            incoming[i] = scratch(rank == 0 ? 0 : CHUNK_BYTES);
        }
    }

    private static Transfer[] transfers(int count) {
        Transfer[] result = new Transfer[count];
        Arrays.fill(result, Transfer.NONE);
        return result;
    }

    private static MemorySegment chunk(MemorySegment buffer, int i) {
        long from = i * CHUNK_BYTES;
        return buffer.asSlice(from, Math.min(CHUNK_BYTES, buffer.byteSize() - from));
    }

    @Override
    void exchange(MemorySegment send, MemorySegment receive, Combination how) {
        int chunks = Math.toIntExact((send.byteSize() + CHUNK_BYTES - 1) / CHUNK_BYTES);
        boolean last = rank == size - 1;
        for (int i = 0; rank > 0 && i < Math.min(depth - 1, chunks); i++) {
            startReceivingUp(send, i);
        }
        for (int i = 0; i < chunks + (last ? 0 : lag); i++) {
            if (i < chunks) {
                up(send, receive, i, chunks, how);
            }
            if (!last && i >= lag) {
                down(receive, i - lag);
            }
        }
        for (Transfer transfer : sendingDown) {
            wire.await(transfer);
        }
    }

    private void startReceivingUp(MemorySegment send, int i) {
        long length = chunk(send, i).byteSize();
        receivingUp[i % depth] = wire.receive(incoming[i % depth].asSlice(0, length), rank - 1);
    }

    private void up(MemorySegment send, MemorySegment receive, int i, int chunks, Combination how) {
        MemorySegment own = chunk(send, i);
        MemorySegment result = chunk(receive, i);
        if (rank > 0) {
            if (i + depth - 1 < chunks) {
                startReceivingUp(send, i + depth - 1);
            }
            wire.await(receivingUp[i % depth]);
            combine(incoming[i % depth].asSlice(0, own.byteSize()), own, result, how);
        }
        if (rank < size - 1) {
            sendingUp[i % (lag + 1)] = wire.send(rank == 0 ? own : result, rank + 1);
        } else {
            complete(result, how);
            sendDown(result, i);
        }
    }

    private void down(MemorySegment receive, int i) {
        MemorySegment result = chunk(receive, i);
        // What was sent up from here must have left before the result overwrites it.
        wire.await(sendingUp[i % (lag + 1)]);
        wire.await(wire.receive(result, rank + 1));
        if (rank > 0) {
            sendDown(result, i);
        }
    }

    private void sendDown(MemorySegment result, int i) {
        wire.await(sendingDown[i % depth]);
        sendingDown[i % depth] = wire.send(result, rank - 1);
    }
}
