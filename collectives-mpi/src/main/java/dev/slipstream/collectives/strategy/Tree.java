package dev.slipstream.collectives.strategy;

import java.lang.foreign.MemorySegment;

/**
 * Short buffers by recursive doubling: in round k, rank r exchanges with rank r xor 2^k, and both combine the same two partial
 * results in the same order, so that they hold the same bits. Where the number of ranks is no power of two, those beyond
 * the greatest one first hand their contribution to a rank below and get the result back in the end. Longer buffers, piece
 * by piece, up a binomial tree to rank 0 and down again.
 */
final class Tree extends AllReduce {
    private static final long SHORT_BYTES = 32 << 10;
    private static final long PIECE_BYTES = 1 << 20;

    private final MemorySegment incoming = scratch(PIECE_BYTES);

    Tree(Wire wire) {
        super(wire);
    }

    @Override
    void exchange(MemorySegment send, MemorySegment receive, Combination how) {
        if (send.address() != receive.address()) {
            receive.copyFrom(send);
        }
        if (receive.byteSize() <= SHORT_BYTES) {
            doubling(receive, how);
            return;
        }
        for (long done = 0; done < receive.byteSize(); done += PIECE_BYTES) {
            MemorySegment piece = receive.asSlice(done, Math.min(PIECE_BYTES, receive.byteSize() - done));
            reduceUp(piece, how);
            if (rank == 0) {
                complete(piece, how);
            }
            sendDown(piece);
        }
    }

    private void doubling(MemorySegment buffer, Combination how) {
        MemorySegment theirs = incoming.asSlice(0, buffer.byteSize());
        int inner = Integer.highestOneBit(size);
        if (rank >= inner) {
            wire.await(wire.send(buffer, rank - inner));
            wire.await(wire.receive(buffer, rank - inner));
            return;
        }
        boolean helps = rank + inner < size;
        if (helps) {
            wire.await(wire.receive(theirs, rank + inner));
            combine(buffer, theirs, buffer, how);
        }
        for (int distance = 1; distance < inner; distance *= 2) {
            int peer = rank ^ distance;
            Wire.Transfer receiving = wire.receive(theirs, peer);
            Wire.Transfer sending = wire.send(buffer, peer);
            wire.await(receiving);
            wire.await(sending);
            if (rank < peer) {
                combine(buffer, theirs, buffer, how);
            } else {
                combine(theirs, buffer, buffer, how);
            }
        }
        complete(buffer, how);
        if (helps) {
            wire.await(wire.send(buffer, rank + inner));
        }
    }

    private void reduceUp(MemorySegment piece, Combination how) {
        MemorySegment theirs = incoming.asSlice(0, piece.byteSize());
        for (int distance = 1; distance < size; distance *= 2) {
            if ((rank & distance) != 0) {
                wire.await(wire.send(piece, rank - distance));
                return;
            }
            if (rank + distance < size) {
                wire.await(wire.receive(theirs, rank + distance));
                combine(piece, theirs, piece, how);
            }
        }
    }

    private void sendDown(MemorySegment piece) {
        int distance = rank == 0 ? Integer.highestOneBit(size - 1) : Integer.lowestOneBit(rank) / 2;
        if (rank != 0) {
            wire.await(wire.receive(piece, rank - Integer.lowestOneBit(rank)));
        }
        for (; distance > 0; distance /= 2) {
            if (rank + distance < size) {
                wire.await(wire.send(piece, rank + distance));
            }
        }
    }
}
