package dev.slipstream.collectives.mpi;

import java.lang.foreign.MemorySegment;

/**
 * The part of MPI that the transport uses, as Java sees it: one implementation calls libmpi through the Foreign Function
 * & Memory API, the other goes through Open MPI's own Java bindings. Both give MPI's errors as a
 * {@link dev.slipstream.collectives.CollectiveException} with MPI's message.
 *
 * <p><b>Counts</b> are ints here, as in MPI-3.1; {@link Split} cuts longer buffers. A binding may bound them further
 * ({@link #maxBytes()}).
 *
 * <p><b>Buffers</b> are native segments. A binding keeps the buffers of a pending request reachable until
 * {@link Request#test()} says that it is complete, whether or not the caller still holds the request.
 *
 * <p><b>Threads.</b> MPI runs with MPI_THREAD_MULTIPLE, so communicators are independent of each other; the calls on one
 * communicator and its requests must not overlap in time.
 */
interface MpiBinding {
    /** As the source of a receive: whichever rank sends. */
    int ANY_SOURCE = -1;

    /** MPI's name for what a buffer holds. */
    enum Type {
        FLOAT(4),
        DOUBLE(8),
        INT32(4),
        INT64(8),
        BYTE(1);

        final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }
    }

    /** MPI's built-in reductions; a Java upcall as an operation would cost ten times more. */
    enum Op {
        SUM,
        MIN,
        MAX,
        BAND,
        BOR
    }

    /** As users write it: {@code ffm} or {@code java}. */
    String name();

    /** For example {@code Open MPI v4.1.4}. */
    String libraryVersion();

    /** The longest buffer that one call takes, in bytes; a multiple of 8. */
    long maxBytes();

    /** MPI_Init_thread with MPI_THREAD_MULTIPLE, errors returned instead of fatal. Call once in a process. */
    void initialize();

    /** MPI_Finalize; collective over all processes of the job. */
    void finalizeMpi();

    /** MPI_COMM_WORLD; after {@link #initialize()}. */
    Comm world();

    /** A communicator. */
    interface Comm {
        int rank();

        int size();

        /** MPI_Comm_dup: same ranks, messages kept apart. Collective. */
        Comm dup();

        /** MPI_Comm_split. Collective. */
        Comm split(int color, int key);

        /** MPI_Comm_split_type(MPI_COMM_TYPE_SHARED): the ranks that can share memory, in rank order. Collective. */
        Comm splitShared();

        /** MPI_Comm_free. Collective; no requests may be pending. */
        void free();

        /** MPI_Abort: ends all processes of the job. May not return. */
        void abort(int exitCode);

        /** MPI_Allreduce; in place when both segments start at the same address. Blocks, without a deadline. */
        void allReduce(MemorySegment send, MemorySegment receive, int count, Type type, Op op);

        /** MPI_Iallreduce; in place when both segments start at the same address. */
        Request startAllReduce(MemorySegment send, MemorySegment receive, int count, Type type, Op op);

        /** MPI_Ibcast of bytes. */
        Request startBroadcast(MemorySegment buffer, int root);

        /** MPI_Isend of bytes. */
        Request startSend(MemorySegment buffer, int destination, int tag);

        /** MPI_Irecv of bytes from one rank, or from {@link #ANY_SOURCE}; a longer message is an error, a shorter one is not. */
        Request startReceive(MemorySegment buffer, int source, int tag);

        /** Requests started and not yet complete. */
        int pending();
    }

    /** An operation under way. */
    interface Request {
        /** MPI_Test: whether the operation is complete; lets MPI progress. True for ever once it was true. */
        boolean test();

        /** MPI_Cancel and MPI_Request_free, for a receive whose sender will not come. Does nothing when complete. */
        void cancel();
    }
}
