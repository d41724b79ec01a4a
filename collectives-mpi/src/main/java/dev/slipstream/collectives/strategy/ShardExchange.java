package dev.slipstream.collectives.strategy;

import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reducer;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Every rank owns one shard of the buffer: it gets all contributions to it, reduces them in rank order, rounds once, and
 * hands the result to all. For every type and reduction this gives the bits of the {@code local} transport; 16-bit sums and
 * integer sums, which partial sums on the wire would round or overflow, always go this way.
 *
 * <p>A shard is worked off in <i>pieces</i>, so that the scratch memory does not grow with the buffer: in each round, all
 * ranks exchange one piece of every shard.
 */
public final class ShardExchange {
    private static final long PIECE_BYTES = 256 << 10;

    private final Wire wire;
    private final int rank;
    private final int size;
    private final Reducer reducer = new Reducer();
    private final Transfers transfers;
    private final MemorySegment scratch;
    private final MemorySegment[] sources;
    private final MemorySegment[] target = new MemorySegment[1];

    public ShardExchange(Wire wire) {
        this.wire = wire;
        rank = wire.rank();
        size = wire.size();
        transfers = new Transfers(wire);
        scratch = Arena.ofAuto().allocate(PIECE_BYTES * size, 64);
        sources = new MemorySegment[size];
    }

    /** Where a piece of a shard lies: the same on all ranks. */
    private record Pieces(Parts parts, long done) {
        long start(int shard) {
            return parts.start(shard) + Math.min(done, parts.length(shard));
        }

        long length(int shard) {
            return Math.min(PIECE_BYTES, parts.length(shard) - Math.min(done, parts.length(shard)));
        }

        MemorySegment of(MemorySegment buffer, int shard) {
            return buffer.asSlice(start(shard), length(shard));
        }
    }

    /** All-reduces; {@code receive} may be {@code send}. */
    public void allReduce(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        Parts parts = new Parts(send.byteSize(), size);
        long longest = parts.longest();
        for (long done = 0; done < longest; done += PIECE_BYTES) {
            Pieces pieces = new Pieces(parts, done);
            reduceOwnPiece(pieces, send, pieces.of(receive, rank), type, reduction);
            for (int step = 1; step < size; step++) {
                int to = (rank + step) % size;
                int from = (rank + size - step) % size;
                transfers.add(wire.receive(pieces.of(receive, from), from));
                transfers.add(wire.send(pieces.of(receive, rank), to));
            }
            transfers.awaitAll();
        }
    }

    /** Reduces the r-th of {@link Wire#size()} equal parts of the ranks' {@code send} into rank r's {@code receive}. */
    public void reduceScatter(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        long shard = receive.byteSize();
        for (long done = 0; done < shard; done += PIECE_BYTES) {
            long length = Math.min(PIECE_BYTES, shard - done);
            for (int step = 1; step < size; step++) {
                int to = (rank + step) % size;
                int from = (rank + size - step) % size;
                transfers.add(wire.receive(inScratch(from, length), from));
                transfers.add(wire.send(send.asSlice(shard * to + done, length), to));
            }
            transfers.awaitAll();
            reduce(send.asSlice(shard * rank + done, length), receive.asSlice(done, length), type, reduction);
        }
    }

    private void reduceOwnPiece(
            Pieces pieces, MemorySegment send, MemorySegment result, ElementType type, Reduction reduction) {
        for (int step = 1; step < size; step++) {
            int to = (rank + step) % size;
            int from = (rank + size - step) % size;
            transfers.add(wire.receive(inScratch(from, pieces.length(rank)), from));
            transfers.add(wire.send(pieces.of(send, to), to));
        }
        transfers.awaitAll();
        reduce(pieces.of(send, rank), result, type, reduction);
    }

    private MemorySegment inScratch(int from, long length) {
        return scratch.asSlice(from * PIECE_BYTES, length);
    }

    private void reduce(MemorySegment own, MemorySegment result, ElementType type, Reduction reduction) {
        for (int other = 0; other < size; other++) {
            sources[other] = other == rank ? own : inScratch(other, own.byteSize());
        }
        target[0] = result;
        reducer.reduce(sources, 0, target, 0, result.byteSize(), type, reduction);
    }
}
