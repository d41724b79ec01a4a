package dev.slipstream.collectives.shared;

import dev.slipstream.collectives.CollectiveMismatchException;
import dev.slipstream.collectives.transport.Call;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One rank's end of a group of processes that share memory. Ranks meet by counters: each raises its own to the number of
 * the meeting, and waits until the others have.
 *
 * <p>Used by one thread at a time, but for {@link #allocate} and {@link #hasArrived}.
 */
public final class SharedGroup implements AutoCloseable {
    private static final int FINGERPRINT = 0;
    private static final int SEND = 1;
    private static final int RECEIVE = 2;

    private final int rank;
    private final int size;
    private final SharedMemory memory;
    private final SharedMoves moves;
    private final Patience patience;
    private final int spins;
    private final BooleanSupplier allHere = this::allHere;
    private long phase;

    /** The first rank that was not there when last looked. */
    private int awaited;

    /**
     * Opens one end. All ranks open the same path; when all have, the file may and should be unlinked.
     *
     * @param path a new file, on a file system in memory
     * @param spins how often to look before {@code patience} is asked: few where ranks share processors
     * @throws IOException when the file can't be made, mapped, or has no room
     */
    public SharedGroup(Path path, int rank, int size, Patience patience, int spins) throws IOException {
        this.rank = rank;
        this.size = size;
        this.patience = patience;
        this.spins = spins;
        memory = new SharedMemory(path, rank, size);
        moves = new SharedMoves(memory, rank, size, this::meet);
    }

    /** Zeroed memory that the others reach without a copy; empty when the file system has no room for it. */
    public Optional<MemorySegment> allocate(long bytes) {
        try {
            return Optional.of(memory.allocate(bytes));
        } catch (IOException full) {
            return Optional.empty();
        }
    }

    /** Whether a rank has arrived in an operation. For any thread. */
    public boolean hasArrived(int other, long operation) {
        return memory.operation(other) >= operation;
    }

    /**
     * Meets all ranks and compares what they call.
     *
     * @throws CollectiveMismatchException on every rank, when any two differ
     */
    public void agree(Call call, long operation) {
        publish(call, operation);
        meet();
        compare(call, operation);
    }

    /** Runs a collective: {@link #agree} and the movement of the bytes, with one meeting fewer for short ones. */
    public void execute(Call call, long operation) {
        boolean inline = SharedMoves.fitsInline(call, size);
        if (inline) {
            moves.publishInline(call, operation);
        }
        agree(call, operation);
        if (inline) {
            moves.moveInline(call, operation);
            return;
        }
        boolean sendsShared = true;
        boolean receivesShared = true;
        for (int other = 0; other < size; other++) {
            sendsShared &= memory.header(other, operation, SEND) >= 0;
            receivesShared &= memory.header(other, operation, RECEIVE) >= 0;
        }
        switch (call.kind()) {
            case ALL_REDUCE -> {
                if (sendsShared && receivesShared) {
                    moves.allReduceDirectly(
                            call, other -> offset(other, operation, SEND), other -> offset(other, operation, RECEIVE));
                } else {
                    moves.allReduceStaged(call);
                }
            }
            case REDUCE_SCATTER -> {
                if (sendsShared) {
                    moves.reduceScatterDirectly(call, other -> offset(other, operation, SEND));
                } else {
                    moves.reduceScatterStaged(call);
                }
            }
            case ALL_GATHER -> {
                if (sendsShared) {
                    moves.gatherDirectly(call, other -> offset(other, operation, SEND));
                } else {
                    moves.gatherStaged(call);
                }
            }
            case BROADCAST -> {
                if (memory.header(call.root(), operation, SEND) >= 0) {
                    moves.broadcastDirectly(call, offset(call.root(), operation, SEND));
                } else {
                    moves.broadcastStaged(call);
                }
            }
            case BARRIER, SPLIT -> {}
        }
    }

    private long offset(int other, long operation, int word) {
        return memory.header(other, operation, word);
    }

    /**
     * Two headers taken in turn: who publishes operation k + 2 has met everyone in k + 1, and so everyone has read k's.
     */
    private void publish(Call call, long operation) {
        memory.setHeader(operation, FINGERPRINT, call.fingerprint(operation));
        memory.setHeader(operation, SEND, memory.offsetOf(call.send()));
        memory.setHeader(operation, RECEIVE, memory.offsetOf(call.receive()));
        memory.setOperation(operation);
    }

    /** All ranks see the same headers, and so they reach the same verdict. */
    private void compare(Call call, long operation) {
        long first = memory.header(0, operation, FINGERPRINT);
        boolean same = true;
        for (int other = 1; other < size; other++) {
            same &= memory.header(other, operation, FINGERPRINT) == first;
        }
        if (same) {
            return;
        }
        memory.setText(call.toString());
        meet();
        int odd = 1;
        while (odd < size - 1 && memory.header(odd, operation, FINGERPRINT) == first) {
            odd++;
        }
        throw new CollectiveMismatchException("The ranks differ in operation " + operation + ": rank 0 calls "
                + memory.text(0) + ", rank " + odd + " calls " + memory.text(odd) + "; rank " + rank + " called " + call
                + ". All ranks must make the same calls in the same order.");
    }

    private void meet() {
        phase++;
        memory.setPhase(phase);
        awaited = 0;
        for (int spin = 0; spin < spins; spin++) {
            if (allHere()) {
                return;
            }
            Thread.onSpinWait();
        }
        patience.await(allHere);
    }

    private boolean allHere() {
        while (awaited < size && memory.phase(awaited) >= phase) {
            awaited++;
        }
        return awaited == size;
    }

    /** Unmaps the file, which ends the life of what was allocated in it. */
    @Override
    public void close() {
        memory.close();
    }
}
