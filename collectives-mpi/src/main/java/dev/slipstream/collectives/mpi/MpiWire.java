package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.strategy.Wire;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Point-to-point messages of MPI; those longer than one call takes go in pieces. */
final class MpiWire implements Wire {
    private static final int TAG = 2;

    private final MpiBinding.Comm comm;
    private final Progress progress;
    private final long maxBytes;

    MpiWire(MpiBinding.Comm comm, Progress progress, long maxBytes) {
        this.comm = comm;
        this.progress = progress;
        this.maxBytes = maxBytes;
    }

    @Override
    public int rank() {
        return comm.rank();
    }

    @Override
    public int size() {
        return comm.size();
    }

    @Override
    public Transfer send(MemorySegment message, int destination) {
        if (message.byteSize() == 0) {
            return Transfer.NONE;
        }
        if (message.byteSize() <= maxBytes) {
            return comm.startSend(message, destination, TAG)::test;
        }
        List<MpiBinding.Request> pieces = new ArrayList<>();
        Split.run(
                message.byteSize(),
                maxBytes,
                (offset, length) -> pieces.add(comm.startSend(message.asSlice(offset, length), destination, TAG)));
        return allOf(pieces);
    }

    @Override
    public Transfer receive(MemorySegment message, int source) {
        if (message.byteSize() == 0) {
            return Transfer.NONE;
        }
        if (message.byteSize() <= maxBytes) {
            return comm.startReceive(message, source, TAG)::test;
        }
        List<MpiBinding.Request> pieces = new ArrayList<>();
        Split.run(
                message.byteSize(),
                maxBytes,
                (offset, length) -> pieces.add(comm.startReceive(message.asSlice(offset, length), source, TAG)));
        return allOf(pieces);
    }

    private static Transfer allOf(List<MpiBinding.Request> pieces) {
        return () -> {
            pieces.removeIf(MpiBinding.Request::test);
            return pieces.isEmpty();
        };
    }

    @Override
    public void await(Transfer transfer) {
        progress.awaitTransfer(transfer::isDone);
    }
}
