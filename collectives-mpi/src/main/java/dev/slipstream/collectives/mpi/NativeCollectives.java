package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reducer;
import dev.slipstream.collectives.Reduction;
import java.lang.foreign.MemorySegment;

/**
 * MPI's own collectives, for the types and reductions where they mean what {@link Reduction} says: not for floating minima
 * and maxima (MPI_MAX drops a NaN that another rank holds), nor for sums that MPI would round at each hop or let overflow.
 */
final class NativeCollectives implements AutoCloseable {
    /** From here on MPI_Allreduce on a thread of its own is faster than MPI_Iallreduce. */
    private static final long BLOCKING_BYTES = 256 << 10;

    private final MpiBinding.Comm comm;
    private final Progress progress;
    private final long maxBytes;
    private final Reducer reducer = new Reducer();
    private final BlockingCalls blocking;

    NativeCollectives(MpiBinding.Comm comm, Progress progress, long maxBytes) {
        this.comm = comm;
        this.progress = progress;
        this.maxBytes = maxBytes;
        blocking = new BlockingCalls(progress, comm.rank());
    }

    /** Whether MPI is done with all buffers. */
    boolean isIdle() {
        return blocking.isIdle() && comm.pending() == 0;
    }

    @Override
    public void close() {
        blocking.close();
    }

    static boolean supports(ElementType type, Reduction reduction) {
        return switch (type) {
            case FLOAT32, FLOAT64 -> reduction == Reduction.SUM || reduction == Reduction.AVERAGE;
            case INT32, INT64 -> reduction != Reduction.SUM;
            case UINT8 -> reduction == Reduction.BAND || reduction == Reduction.BOR;
            case FLOAT16, BFLOAT16 -> false;
        };
    }

    void allReduce(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction) {
        MpiBinding.Type mpiType = mpiType(type);
        MpiBinding.Op op = mpiOp(reduction);
        Split.run(send.byteSize(), maxBytes, (offset, length) -> {
            MemorySegment from = send.asSlice(offset, length);
            MemorySegment to = receive.asSlice(offset, length);
            int count = (int) (length / type.bytes());
            if (length >= BLOCKING_BYTES) {
                blocking.run(() -> comm.allReduce(from, to, count, mpiType, op));
            } else {
                progress.awaitTransfer(comm.startAllReduce(from, to, count, mpiType, op)::test);
            }
        });
        if (reduction == Reduction.AVERAGE) {
            reducer.average(receive, 0, receive.byteSize(), type, comm.size());
        }
    }

    void broadcast(MemorySegment buffer, int root) {
        Split.run(
                buffer.byteSize(),
                maxBytes,
                (offset, length) ->
                        progress.awaitTransfer(comm.startBroadcast(buffer.asSlice(offset, length), root)::test));
    }

    private static MpiBinding.Type mpiType(ElementType type) {
        return switch (type) {
            case FLOAT32 -> MpiBinding.Type.FLOAT;
            case FLOAT64 -> MpiBinding.Type.DOUBLE;
            case INT32 -> MpiBinding.Type.INT32;
            case INT64 -> MpiBinding.Type.INT64;
            case UINT8, FLOAT16, BFLOAT16 -> MpiBinding.Type.BYTE;
        };
    }

    private static MpiBinding.Op mpiOp(Reduction reduction) {
        return switch (reduction) {
            case SUM, AVERAGE -> MpiBinding.Op.SUM;
            case MIN -> MpiBinding.Op.MIN;
            case MAX -> MpiBinding.Op.MAX;
            case BAND -> MpiBinding.Op.BAND;
            case BOR -> MpiBinding.Op.BOR;
        };
    }
}
