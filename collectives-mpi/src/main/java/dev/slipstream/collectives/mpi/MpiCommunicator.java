package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.CollectiveException;
import dev.slipstream.collectives.CollectiveMismatchException;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorOptions;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.collectives.Strategy;
import dev.slipstream.collectives.shared.SharedGroup;
import dev.slipstream.collectives.strategy.RingAllGather;
import dev.slipstream.collectives.strategy.ShardExchange;
import dev.slipstream.collectives.transport.Arguments;
import dev.slipstream.collectives.transport.Call;
import dev.slipstream.collectives.transport.Call.Kind;
import dev.slipstream.collectives.transport.QueuedCommunicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a group of processes. An operation is: the ranks compare their calls, which is also where they meet; then
 * the bytes move; a failure is told to all ranks.
 */
final class MpiCommunicator extends QueuedCommunicator {
    private static final long LINE = 64;

    private final MpiProcess process;
    private final CommunicatorOptions options;
    private final MpiBinding.Comm comm;
    private final ControlChannel control;
    private final Messages messages;
    private final Progress progress;
    private final Agreement agreement;
    private final NativeCollectives natives;
    private final ShardExchange shards;
    private final RingAllGather gather;
    private final MpiWire wire;
    private final Arena memory = Arena.ofShared();
    private final HostMemory memoryOfHost;
    private final @Nullable SharedGroup shared;

    /** Number of the operation under way, from 1; the queue runs one at a time. */
    private long operation;

    private volatile long completed;

    /** Takes a communicator of MPI that nobody else uses, and makes two more of it: collective, on the MPI thread. */
    static MpiCommunicator over(MpiProcess process, MpiBinding.Comm comm, CommunicatorOptions options) {
        return new MpiCommunicator(process, comm, comm.dup(), comm.dup(), options);
    }

    private MpiCommunicator(
            MpiProcess process,
            MpiBinding.Comm comm,
            MpiBinding.Comm controlComm,
            MpiBinding.Comm messageComm,
            CommunicatorOptions options) {
        super(comm.rank(), comm.size());
        this.process = process;
        this.comm = comm;
        this.options = options;
        long maxBytes = process.maxBytes();
        control = new ControlChannel(controlComm);
        messages = new Messages(messageComm, control, options.timeout(), this::isClosed, maxBytes);
        boolean crowded = process.ranksOnThisHost() > Runtime.getRuntime().availableProcessors();
        progress = new Progress(control, options.timeout(), this::isClosed, meeting(Kind.BARRIER), crowded);
        agreement = new Agreement(comm, progress);
        boolean shares = options.localGroupSize() == 0 || options.localGroupSize() >= comm.size();
        memoryOfHost = shares
                ? HostMemory.open(comm, progress::awaitMeeting, crowded ? 20 : 2_000)
                : HostMemory.none("localGroupSize is " + options.localGroupSize());
        shared = memoryOfHost.group().orElse(null);
        if (shared != null) {
            progress.setPresence(shared::hasArrived);
        }
        natives = new NativeCollectives(comm, progress, maxBytes);
        wire = new MpiWire(comm, progress, maxBytes);
        shards = new ShardExchange(wire);
        gather = new RingAllGather(wire);
    }

    /** Meets all ranks and checks that they were given the same options. */
    void compareOptions() {
        progress.begin(0, meeting(Kind.BARRIER));
        try {
            agreement.agree(options.toString().hashCode(), "in their options", options::toString);
        } catch (CollectiveException e) {
            process.fail(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    @Override
    public String transport() {
        return "mpi";
    }

    @Override
    public MemorySegment allocate(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("A buffer of " + bytes + " bytes can't be allocated.");
        }
        throwIfClosed();
        return memoryOfHost
                .group()
                .flatMap(group -> group.allocate(bytes))
                .orElseGet(() -> memory.allocate(bytes, LINE));
    }

    /** Runs one operation. A mismatch leaves the group usable: every rank saw it. All else that fails ends the group. */
    @Override
    protected void execute(Call call) {
        operation++;
        progress.begin(operation, call);
        try {
            throwIfClosed();
            control.throwIfEnded();
            run(call);
            completed = operation;
        } catch (CollectiveMismatchException e) {
            completed = operation;
            throw e;
        } catch (ArithmeticException e) {
            throw failed(call, "a sum leaves the range of " + call.type() + "; use a wider type", e);
        } catch (CollectiveException e) {
            end(String.valueOf(e.getMessage()));
            throw e;
        } catch (RuntimeException | Error e) {
            control.throwIfEnded();
            throw failed(call, e.toString(), e);
        }
    }

    private CollectiveException failed(Call call, String reason, Throwable cause) {
        String message = "Operation " + operation + " (" + call + ") failed on rank " + rank() + ": " + reason + ".";
        end(message);
        return new CollectiveException(message, cause);
    }

    private void end(String reason) {
        control.end(reason);
        process.fail(reason);
    }

    private void run(Call call) {
        if (shared != null) {
            if (movesInSharedMemory(call)) {
                shared.execute(call, operation);
                return;
            }
            if (options.headerCheck()) {
                shared.agree(call, operation);
            }
        } else if (options.headerCheck() || call.kind() == Kind.BARRIER) {
            agreement.agree(call.fingerprint(operation), "in operation " + operation, call::toString);
        }
        move(call);
    }

    private boolean movesInSharedMemory(Call call) {
        return call.kind() != Kind.ALL_REDUCE
                || options.strategy() == Strategy.SHARED
                || options.strategy() == Strategy.AUTO;
    }

    private void move(Call call) {
        switch (call.kind()) {
            case ALL_REDUCE -> allReduce(call);
            case BROADCAST -> natives.broadcast(call.receive(), call.root());
            case ALL_GATHER -> gather.run(call.send(), call.receive(), lengths(call));
            case REDUCE_SCATTER -> shards.reduceScatter(call.send(), call.receive(), call.type(), call.reduction());
            case BARRIER, SPLIT -> {}
        }
    }

    private void allReduce(Call call) {
        ElementType type = call.type();
        Reduction reduction = call.reduction();
        if (NativeCollectives.supports(type, reduction)) {
            natives.allReduce(call.send(), call.receive(), type, reduction);
        } else {
            shards.allReduce(call.send(), call.receive(), type, reduction);
        }
    }

    private long[] lengths(Call call) {
        long[] lengths = new long[size()];
        if (call.counts().isEmpty()) {
            Arrays.fill(lengths, call.send().byteSize());
        } else {
            Arrays.setAll(lengths, rank -> call.counts().get(rank) * call.type().bytes());
        }
        return lengths;
    }

    @Override
    public void send(MemorySegment buffer, ElementType type, int destination) {
        Arguments.buffer("send", buffer, type);
        Arguments.rank("destination", destination, size());
        throwIfClosed();
        control.throwIfEnded();
        messages.send(buffer, type, destination);
    }

    @Override
    public void receive(MemorySegment buffer, ElementType type, int source) {
        Arguments.writable("receive", buffer, type);
        Arguments.rank("source", source, size());
        throwIfClosed();
        control.throwIfEnded();
        messages.receive(buffer, type, source);
    }

    @Override
    protected Communicator executeSplit(int color, int key) {
        execute(meeting(Kind.SPLIT));
        MemorySegment own = Arena.ofAuto().allocate(Integer.BYTES, LINE);
        own.set(ValueLayout.JAVA_INT, 0, color);
        MemorySegment all = Arena.ofAuto().allocate((long) Integer.BYTES * size(), LINE);
        execute(Call.of(Kind.ALL_GATHER, own, all, ElementType.INT32, Reduction.SUM, 1, 0));
        int[] colors = all.toArray(ValueLayout.JAVA_INT);
        // MPI takes no negative colours: a colour's place among them stands for it.
        int place =
                Arrays.binarySearch(Arrays.stream(colors).distinct().sorted().toArray(), color);
        return process.onMpiThread(
                "MPI_Comm_split", () -> over(process, comm.split(place, key), options), options.timeout());
    }

    @Override
    public void abort(String reason) {
        end(reason);
    }

    @Override
    protected String whoIsBehind() {
        return progress.whoIsBehind();
    }

    @Override
    protected void leave() {
        control.leave(completed);
    }

    /** Memory under requests that can't be taken back stays: MPI may write to it until the process ends. */
    @Override
    protected void release() {
        natives.close();
        boolean idle = natives.isIdle();
        if (idle && messages.comm().pending() == 0) {
            memory.close();
            memoryOfHost.group().ifPresent(SharedGroup::close);
        }
        if (idle) {
            process.retire(new Retired(comm, messages.comm(), control));
        }
    }
}
