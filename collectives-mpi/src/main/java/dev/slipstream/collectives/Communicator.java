package dev.slipstream.collectives;

import dev.slipstream.collectives.mpi.MpiTransport;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * One rank's end of a group of ranks that call the same collectives in the same order (MPI's communicator).
 *
 * <p><b>Buffers</b> are native {@link MemorySegment}s; a segment's size gives the count, so pass a slice to send a part.
 * Sizes must be a multiple of {@link ElementType#bytes()}; size 0 is allowed everywhere. Segments must stay alive until
 * the operation is done and be accessible by every thread: those of a confined arena are refused. {@link #allocate} gives memory that the transport reaches without a copy.
 *
 * <p><b>Order.</b> All ranks must make the same calls, of the same sizes and types, in the same order. Ranks that differ
 * get a {@link CollectiveMismatchException} that shows both sides, on every rank; buffers are then untouched.
 *
 * <p><b>Threads.</b> Safe for use by several threads: operations of one rank run one after another in the order in which
 * they were called. The caller sees to it that this order is the same on every rank; usually that means one calling thread.
 *
 * <p><b>Errors.</b> Every call is bounded by the communicator's timeout and throws a {@link CollectiveException}: a rank
 * that did not arrive ({@link CollectiveTimeoutException}), aborted or closed ({@link CommunicatorAbortedException}), or
 * called something else. Wrong arguments are an {@link IllegalArgumentException} before anything is sent.
 */
public interface Communicator extends AutoCloseable {
    /** This rank, 0 to {@link #size()} - 1. */
    int rank();

    /** How many ranks there are. */
    int size();

    /** The transport's name as users write it: {@code local}, {@code mpi} or {@code nccl}. */
    String transport();

    /** What this communicator has done so far. For any thread; never waits. */
    CommunicatorStats stats();

    /**
     * Allocates zeroed memory that this transport reaches without a copy, aligned to 64 bytes. Not a collective: ranks
     * may allocate differently. It lives until {@link #close()}.
     */
    MemorySegment allocate(long bytes);

    /**
     * Combines the ranks' {@code send} buffers element by element; every rank gets the result, with the same bits.
     *
     * @param send this rank's contribution; left as it is unless it is also {@code receive}
     * @param receive gets the result; the same segment as {@code send} (in place), or one that does not overlap it
     */
    void allReduce(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction);

    /** In place {@link #allReduce(MemorySegment, MemorySegment, ElementType, Reduction)}. */
    default void allReduce(MemorySegment buffer, ElementType type, Reduction reduction) {
        allReduce(buffer, buffer, type, reduction);
    }

    /**
     * Starts an all-reduce and returns at once. The operations of one rank run in the order in which they were called,
     * also beside blocking ones. Both buffers belong to the operation until the handle is done.
     */
    CollectiveHandle allReduceAsync(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction);

    /** In place {@link #allReduceAsync(MemorySegment, MemorySegment, ElementType, Reduction)}. */
    default CollectiveHandle allReduceAsync(MemorySegment buffer, ElementType type, Reduction reduction) {
        return allReduceAsync(buffer, buffer, type, reduction);
    }

    /** Copies the root's {@code buffer} to every rank's. */
    void broadcast(MemorySegment buffer, ElementType type, int root);

    /** Concatenates equal contributions in rank order: {@code receive} holds {@link #size()} times {@code send}. */
    void allGather(MemorySegment send, MemorySegment receive, ElementType type);

    /**
     * Concatenates contributions of unequal lengths in rank order.
     *
     * @param counts the number of elements each rank contributes, the same array on every rank; {@code send} holds this
     *     rank's, {@code receive} the sum
     */
    void allGather(MemorySegment send, MemorySegment receive, ElementType type, long[] counts);

    /** Starts {@link #allGather(MemorySegment, MemorySegment, ElementType)} and returns at once. */
    CollectiveHandle allGatherAsync(MemorySegment send, MemorySegment receive, ElementType type);

    /**
     * Combines the ranks' {@code send} buffers; rank r gets the r-th of {@link #size()} equal parts of the result.
     *
     * @param receive one part; {@code send} holds {@link #size()} of them
     */
    void reduceScatter(MemorySegment send, MemorySegment receive, ElementType type, Reduction reduction);

    /** Returns when all ranks have called it. */
    void barrier();

    /**
     * Sends to one rank. May return only when the receiver has the data; two ranks that both send first wait for each
     * other until the timeout. Messages between two ranks arrive in the order in which they were sent.
     */
    void send(MemorySegment buffer, ElementType type, int destination);

    /** Receives from one rank; the sizes must agree. */
    void receive(MemorySegment buffer, ElementType type, int source);

    /**
     * Splits the group: ranks of one {@code color} form a new communicator, ordered by {@code key} and then by rank. A
     * collective. The new communicator is closed on its own.
     */
    Communicator split(int color, int key);

    /** Ends the group on all ranks: every pending and every later call there throws, naming this rank and the reason. */
    void abort(String reason);

    /**
     * Leaves the group and frees the memory from {@link #allocate}. Always returns; a second call does nothing. Ranks
     * that still wait for this one get a {@link CommunicatorAbortedException}.
     */
    @Override
    void close();

    /**
     * Opens the {@code local} transport: ranks are threads of this JVM, and each reduces straight out of the others'
     * memory.
     *
     * @return the ranks' ends, in rank order; each is to be used by its own thread and closed there
     */
    static List<Communicator> local(int ranks, CommunicatorOptions options) {
        return LocalGroup.create(ranks, options);
    }

    /** {@link #local(int, CommunicatorOptions)} with the defaults. */
    static List<Communicator> local(int ranks) {
        return local(ranks, CommunicatorOptions.defaults());
    }

    /**
     * Opens the {@code mpi} transport: ranks are the processes that {@code mpirun} started. Collective: all ranks open the
     * same communicators in the same order. Starts MPI at the first call; it ends with the JVM.
     *
     * @throws CollectiveException when MPI is not available ({@link #mpiUnavailable()}) or a rank does not come
     */
    static Communicator mpi(CommunicatorOptions options) {
        return MpiTransport.open(options);
    }

    /**
     * Why the {@code mpi} transport can't be used here, as a sentence with the remedy; empty when it can. Whether
     * {@code mpirun} started this JVM is another question: {@link MpiLaunch#isUnderMpirun()}.
     */
    static Optional<String> mpiUnavailable() {
        return MpiTransport.unavailable();
    }
}
