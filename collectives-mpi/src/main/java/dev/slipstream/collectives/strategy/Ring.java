package dev.slipstream.collectives.strategy;

import dev.slipstream.collectives.strategy.Wire.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * Reduce-scatter and then all-gather around a ring, as in Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations" (2009).
 *
 * <p>The buffer is cut into one <i>chunk</i> per rank, and each chunk into the same number of <i>segments</i>, at least two. In
 * step s of the reduce-scatter, rank r sends chunk r - s to the next rank, segment by segment, and receives chunk r - s - 1
 * from the previous one, which it adds to its own. While a segment is added, the next one is on its way; and since a chunk
 * has two segments or more, a segment that is to be sent was always added at least one round ago. After n - 1 steps rank r
 * holds the sum of chunk r + 1; the all-gather passes the sums around in the same manner.
 */
final class Ring extends AllReduce {
    private static final long SEGMENT_BYTES = 256 << 10;

    private final MemorySegment[] incoming = {scratch(SEGMENT_BYTES), scratch(SEGMENT_BYTES)};
    private final Transfer[] receiving = {Transfer.NONE, Transfer.NONE};
    private final Transfer[] sending = {Transfer.NONE, Transfer.NONE};
    private final int next;
    private final int previous;

    Ring(Wire wire) {
        super(wire);
        next = (rank + 1) % size;
        previous = (rank + size - 1) % size;
    }

    /** Where the segments lie: the same on all ranks. */
    private record Layout(Parts chunks, int segments, long segmentBytes) {
        static Layout of(long bytes, int ranks) {
            Parts chunks = new Parts(bytes, ranks);
            long longest = chunks.longest();
            int segments = (int) Math.max(2, (longest + SEGMENT_BYTES - 1) / SEGMENT_BYTES);
            long even = (longest + segments - 1) / segments;
            return new Layout(chunks, segments, (even + 63) / 64 * 64);
        }

        MemorySegment of(MemorySegment buffer, int chunk, int segment) {
            long length = chunks.length(chunk);
            long from = Math.min(segment * segmentBytes, length);
            return buffer.asSlice(chunks.start(chunk) + from, Math.min(segmentBytes, length - from));
        }
    }

    @Override
    void exchange(MemorySegment send, MemorySegment receive, Combination how) {
        Layout layout = Layout.of(send.byteSize(), size);
        reduceScatter(layout, send, receive, how);
        int own = (rank + 1) % size;
        for (int segment = 0; segment < layout.segments; segment++) {
            complete(layout.of(receive, own, segment), how);
        }
        allGather(layout, receive);
    }

    private void reduceScatter(Layout layout, MemorySegment send, MemorySegment receive, Combination how) {
        int rounds = (size - 1) * layout.segments;
        startReduceRound(layout, send, receive, 0);
        for (int round = 0; round < rounds; round++) {
            if (round + 1 < rounds) {
                startReduceRound(layout, send, receive, round + 1);
            }
            wire.await(receiving[round & 1]);
            int chunk = chunk(-1 - round / layout.segments);
            int segment = round % layout.segments;
            MemorySegment own = layout.of(send, chunk, segment);
            MemorySegment partial = incoming[round & 1].asSlice(0, own.byteSize());
            combine(partial, own, layout.of(receive, chunk, segment), how);
        }
        awaitSends();
    }

    private void startReduceRound(Layout layout, MemorySegment send, MemorySegment receive, int round) {
        int step = round / layout.segments;
        int segment = round % layout.segments;
        long length = layout.of(send, chunk(-1 - step), segment).byteSize();
        receiving[round & 1] = wire.receive(incoming[round & 1].asSlice(0, length), previous);
        wire.await(sending[round & 1]);
        sending[round & 1] = wire.send(layout.of(step == 0 ? send : receive, chunk(-step), segment), next);
    }

    private void allGather(Layout layout, MemorySegment receive) {
        int rounds = (size - 1) * layout.segments;
        startGatherRound(layout, receive, 0);
        for (int round = 0; round < rounds; round++) {
            if (round + 1 < rounds) {
                startGatherRound(layout, receive, round + 1);
            }
            wire.await(receiving[round & 1]);
        }
        awaitSends();
    }

    private void startGatherRound(Layout layout, MemorySegment receive, int round) {
        int step = round / layout.segments;
        int segment = round % layout.segments;
        receiving[round & 1] = wire.receive(layout.of(receive, chunk(-step), segment), previous);
        wire.await(sending[round & 1]);
        sending[round & 1] = wire.send(layout.of(receive, chunk(1 - step), segment), next);
    }

    private void awaitSends() {
        for (int i = 0; i < sending.length; i++) {
            wire.await(sending[i]);
            sending[i] = Transfer.NONE;
        }
    }

    private int chunk(int offset) {
        return Math.floorMod(rank + offset, size);
    }
}
