package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.CollectiveException;
import dev.slipstream.collectives.CollectiveMismatchException;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorOptions;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.collectives.Strategy;
import dev.slipstream.collectives.shared.SharedGroup;
import dev.slipstream.collectives.strategy.AllReduce;
import dev.slipstream.collectives.strategy.RingAllGather;
import dev.slipstream.collectives.strategy.ShardExchange;
import dev.slipstream.collectives.strategy.StrategyFigure;
import dev.slipstream.collectives.strategy.StrategySelector;
import dev.slipstream.collectives.transport.Arguments;
import dev.slipstream.collectives.transport.Call;
import dev.slipstream.collectives.transport.Call.Kind;
import dev.slipstream.collectives.transport.QueuedCommunicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    private final AllReducers allReducers;
    private final Arena memory = Arena.ofShared();
    private final HostGroups groups;
    private final @Nullable SharedGroup shared;
    private final StrategySelector selector;
    private final MemorySegment minima = Arena.ofAuto().allocate(StrategySelector.FIGURES * (long) Long.BYTES, LINE);
    private volatile Strategy strategyInUse;

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
        groups = HostGroups.form(comm, options.localGroupSize(), progress::awaitMeeting, crowded ? 20 : 2_000);
        shared = groups.ofAll().orElse(null);
        if (shared != null) {
            progress.setPresence(shared::hasArrived);
        }
        natives = new NativeCollectives(comm, progress, maxBytes);
        MpiWire wire = new MpiWire(comm, progress, maxBytes);
        shards = new ShardExchange(wire);
        gather = new RingAllGather(wire);
        allReducers = new AllReducers(wire, natives, shards, hierarchical(maxBytes));
        selector = new StrategySelector(
                allReducers.candidates(shared != null, true),
                allReducers.candidates(shared != null, false),
                this::minimumOverRanks);
        Strategy wanted = options.strategy();
        strategyInUse = wanted == Strategy.AUTO ? selector.choose(0, true) : wanted;
    }

    /** MPI's own, since short collectives of every kind must not wait for one that measures itself. */
    private void minimumOverRanks(long[] values) {
        MemorySegment all = minima.asSlice(0, (long) values.length * Long.BYTES);
        all.copyFrom(MemorySegment.ofArray(values));
        progress.awaitMeeting(
                comm.startAllReduce(all, all, values.length, MpiBinding.Type.INT64, MpiBinding.Op.MIN)::test);
        MemorySegment.ofArray(values).copyFrom(all);
    }

    @Override
    protected Strategy strategyInUse() {
        return strategyInUse;
    }

    @Override
    protected List<StrategyFigure> figures() {
        return selector.figures();
    }

    private @Nullable Hierarchical hierarchical(long maxBytes) {
        SharedGroup group = groups.memory().group().orElse(null);
        if (group == null) {
            return null;
        }
        MpiBinding.Comm leaders = groups.leaders();
        AllReduce between = leaders == null ? null : AllReduce.ring(new MpiWire(leaders, progress, maxBytes));
        return new Hierarchical(group, between, size());
    }

    /** Meets all ranks, and checks that they were given the same options and that these can be had. */
    void compareOptions() {
        progress.begin(0, meeting(Kind.BARRIER));
        try {
            agreement.agree(options.toString().hashCode(), "in their options", options::toString);
            Strategy wanted = options.strategy();
            if (shared == null && wanted == Strategy.SHARED) {
                throw new CollectiveException("The strategy shared can't be used, because " + groups.reason() + ".");
            }
            if (wanted == Strategy.HIERARCHICAL && groups.memory().group().isEmpty()) {
                throw new CollectiveException("The strategy hierarchical can't be used, because "
                        + groups.memory().reason() + ".");
            }
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
        return groups.memory()
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
        if (call.kind() != Kind.ALL_REDUCE || call.elements() == 0) {
            runBy(shared == null ? Strategy.NATIVE : Strategy.SHARED, call);
        } else if (options.strategy() == Strategy.AUTO) {
            measured(call);
        } else {
            runBy(options.strategy(), call);
        }
    }

    /** The time includes the meeting, since the strategies combine it with the movement in different ways. */
    private void measured(Call call) {
        long bytes = call.send().byteSize();
        boolean partials = AllReduce.partialsMayTravel(call.type(), call.reduction());
        Strategy strategy = selector.choose(bytes, partials);
        strategyInUse = strategy;
        long start = System.nanoTime();
        runBy(strategy, call);
        selector.completed(bytes, partials, System.nanoTime() - start);
    }

    private void runBy(Strategy strategy, Call call) {
        if (shared != null) {
            // One group holds all ranks: there is nothing between hosts.
            if (strategy == Strategy.SHARED || strategy == Strategy.HIERARCHICAL) {
                shared.execute(call, operation);
                return;
            }
            if (options.headerCheck()) {
                shared.agree(call, operation);
            }
        } else if (options.headerCheck() || call.kind() == Kind.BARRIER) {
            agreement.agree(call.fingerprint(operation), "in operation " + operation, call::toString);
        }
        move(strategy, call);
    }

    private void move(Strategy strategy, Call call) {
        switch (call.kind()) {
            case ALL_REDUCE -> allReducers.run(strategy, call);
            case BROADCAST -> natives.broadcast(call.receive(), call.root());
            case ALL_GATHER -> gather.run(call.send(), call.receive(), lengths(call));
            case REDUCE_SCATTER -> shards.reduceScatter(call.send(), call.receive(), call.type(), call.reduction());
            case BARRIER, SPLIT -> {}
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
                "MPI_Comm_split",
                () -> over(process, comm.split(place, key), options),
                process.openingTimeout(options.timeout()));
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
        List<MpiBinding.Comm> comms = new ArrayList<>(List.of(comm, messages.comm()));
        MpiBinding.Comm leaders = groups.leaders();
        if (leaders != null) {
            comms.add(leaders);
        }
        if (natives.isIdle() && comms.stream().allMatch(each -> each.pending() == 0)) {
            memory.close();
            groups.memory().group().ifPresent(SharedGroup::close);
            process.retire(new Retired(comms, control));
        }
    }
}
