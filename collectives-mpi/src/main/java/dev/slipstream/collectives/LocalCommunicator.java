package dev.slipstream.collectives;

import dev.slipstream.collectives.LocalGroup.Message;
import dev.slipstream.collectives.transport.Arguments;
import dev.slipstream.collectives.transport.Call;
import dev.slipstream.collectives.transport.Call.Kind;
import dev.slipstream.collectives.transport.QueuedCommunicator;
import dev.slipstream.collectives.transport.Waiter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One rank of a {@code local} group. The {@code shared} strategy: of every collective, each rank works off its own part,
 * straight out of all ranks' buffers and straight into them.
 *
 * <p>An operation is: publish the call; meet; compare the calls; do this rank's part; meet again, since the others may
 * still read this rank's buffer or write to it. An operation of small payloads meets once: the payloads are published with
 * the calls, and every rank reduces all of them itself.
 */
final class LocalCommunicator extends QueuedCommunicator {
    /** Parts begin at cache lines, so that no two ranks write to one. */
    private static final long LINE = 64;

    private final LocalGroup group;
    private final int rank;
    private final int size;
    private final Arena memory = Arena.ofShared();
    private final Reducer reducer = new Reducer();
    private final MemorySegment[] sends;
    private final MemorySegment[] receives;
    private final MemorySegment[] ownReceive = new MemorySegment[1];
    private final MemorySegment[] inline;

    /** Number of the operation under way, from 1; the queue runs one at a time. */
    private long operation;

    LocalCommunicator(LocalGroup group, int rank) {
        super(rank, group.size());
        this.group = group;
        this.rank = rank;
        size = group.size();
        sends = new MemorySegment[size];
        receives = new MemorySegment[size];
        inline = new MemorySegment[size];
    }

    @Override
    public String transport() {
        return "local";
    }

    @Override
    protected Strategy strategyInUse() {
        return Strategy.SHARED;
    }

    @Override
    public MemorySegment allocate(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("A buffer of " + bytes + " bytes can't be allocated.");
        }
        throwIfClosed();
        return memory.allocate(bytes, LINE);
    }

    /** Runs one operation. A mismatch leaves the group usable: every rank saw it. All else that fails ends the group. */
    @Override
    protected void execute(Call call) {
        Kind kind = call.kind();
        operation++;
        try {
            throwIfClosed();
            group.throwIfEnded();
            boolean inSlots = kind == Kind.ALL_REDUCE && call.send().byteSize() <= LocalGroup.INLINE_BYTES;
            if (inSlots) {
                publishPayload(call);
            }
            group.arrive(rank, operation, call);
            group.awaitArrival(rank, operation, call);
            compareCalls(call);
            switch (kind) {
                case ALL_REDUCE -> {
                    if (inSlots) {
                        reduceInline(call);
                    } else {
                        reduceOwnPart(call);
                    }
                }
                case BROADCAST -> copyFromRoot(call);
                case ALL_GATHER -> gather(call);
                case REDUCE_SCATTER -> reduceOwnShard(call);
                case BARRIER, SPLIT -> {}
            }
            group.leave(rank, operation);
            if (!inSlots && kind != Kind.BARRIER) {
                group.awaitLeaving(rank, operation, call);
            }
        } catch (CollectiveMismatchException e) {
            group.leave(rank, operation);
            throw e;
        } catch (ArithmeticException e) {
            throw failed(call, "a sum leaves the range of " + call.type() + "; use a wider type", e);
        } catch (CollectiveException e) {
            group.end(rank, String.valueOf(e.getMessage()));
            throw e;
        } catch (RuntimeException | Error e) {
            // A rank that has failed frees its buffers under the others; its reason is the one to show.
            group.throwIfEnded();
            throw failed(call, e.toString(), e);
        }
    }

    private CollectiveException failed(Call call, String reason, Throwable cause) {
        String message = "Operation " + operation + " (" + call + ") failed on rank " + rank + ": " + reason + ".";
        group.end(rank, message);
        return new CollectiveException(message, cause);
    }

    /** All ranks see the same calls, and so they reach the same verdict. */
    private void compareCalls(Call own) {
        Call first = group.call(0, operation);
        for (int other = 1; other < size; other++) {
            Call call = group.call(other, operation);
            if (!call.matches(first)) {
                throw new CollectiveMismatchException("The ranks differ in operation " + operation + ": rank 0 calls "
                        + first + ", rank " + other + " calls " + call + "; rank " + rank + " called " + own
                        + ". All ranks must make the same calls in the same order.");
            }
        }
    }

    private void publishPayload(Call call) {
        long bytes = call.send().byteSize();
        MemorySegment.copy(call.send(), 0, group.inlinePayload(rank, operation, bytes), 0, bytes);
    }

    private void reduceInline(Call call) {
        long bytes = call.send().byteSize();
        for (int other = 0; other < size; other++) {
            inline[other] = group.inlinePayload(other, operation, bytes);
        }
        ownReceive[0] = call.receive();
        reducer.reduce(inline, 0, ownReceive, 0, bytes, call.type(), call.reduction());
    }

    private void reduceOwnPart(Call call) {
        for (int other = 0; other < size; other++) {
            Call theirs = group.call(other, operation);
            sends[other] = theirs.send();
            receives[other] = theirs.receive();
        }
        long bytes = call.send().byteSize();
        long from = partStart(bytes, rank);
        long to = partStart(bytes, rank + 1);
        reducer.reduce(sends, from, receives, from, to - from, call.type(), call.reduction());
    }

    private long partStart(long bytes, int part) {
        if (part == size) {
            return bytes;
        }
        long lines = bytes / LINE;
        return (lines / size * part + lines % size * part / size) * LINE;
    }

    private void copyFromRoot(Call call) {
        if (rank != call.root()) {
            MemorySegment source = group.call(call.root(), operation).send();
            MemorySegment.copy(source, 0, call.receive(), 0, call.receive().byteSize());
        }
    }

    private void gather(Call call) {
        long at = 0;
        for (int other = 0; other < size; other++) {
            MemorySegment source = group.call(other, operation).send();
            MemorySegment.copy(source, 0, call.receive(), at, source.byteSize());
            at += source.byteSize();
        }
    }

    private void reduceOwnShard(Call call) {
        for (int other = 0; other < size; other++) {
            sends[other] = group.call(other, operation).send();
        }
        long bytes = call.receive().byteSize();
        ownReceive[0] = call.receive();
        reducer.reduce(sends, bytes * rank, ownReceive, 0, bytes, call.type(), call.reduction());
    }

    @Override
    public void send(MemorySegment buffer, ElementType type, int destination) {
        Arguments.buffer("send", buffer, type);
        Arguments.rank("destination", destination, size);
        throwIfClosed();
        Message message = new Message(buffer, type);
        group.mailbox(rank, destination).add(message);
        awaitPeer(destination, "send " + describe(buffer, type), () -> message.taken);
        String refusal = message.refusal;
        if (refusal != null) {
            throw new CollectiveMismatchException(refusal);
        }
    }

    @Override
    public void receive(MemorySegment buffer, ElementType type, int source) {
        Arguments.writable("receive", buffer, type);
        Arguments.rank("source", source, size);
        throwIfClosed();
        var mailbox = group.mailbox(source, rank);
        awaitPeer(source, "receive " + describe(buffer, type), () -> !mailbox.isEmpty());
        Message message = mailbox.remove();
        if (message.type == type && message.buffer.byteSize() == buffer.byteSize()) {
            MemorySegment.copy(message.buffer, 0, buffer, 0, buffer.byteSize());
            message.taken = true;
            return;
        }
        String refusal = "Rank " + source + " sends " + describe(message.buffer, message.type) + ", but rank " + rank
                + " receives " + describe(buffer, type) + ".";
        message.refusal = refusal;
        message.taken = true;
        throw new CollectiveMismatchException(refusal);
    }

    private static String describe(MemorySegment buffer, ElementType type) {
        return buffer.byteSize() / type.bytes() + " " + type;
    }

    private void awaitPeer(int peer, String what, java.util.function.BooleanSupplier condition) {
        Waiter waiter = new Waiter(size, group.options().timeout().toNanos());
        while (!condition.getAsBoolean()) {
            throwIfClosed();
            group.throwIfEnded();
            if (group.isClosed(peer) && !condition.getAsBoolean()) {
                throw new CommunicatorAbortedException("Rank " + rank + " waited to " + what + " for rank " + peer
                        + ", which has closed its communicator.");
            }
            if (!waiter.idle()) {
                String message = "Rank " + rank + " waited " + group.options().timeout() + " to " + what + " for rank "
                        + peer + ", which did not come.";
                group.end(rank, message);
                throw new CollectiveTimeoutException(message, List.of(peer));
            }
        }
    }

    @Override
    protected Communicator executeSplit(int color, int key) {
        MemorySegment own = Arena.ofAuto().allocate(2 * Integer.BYTES, LINE);
        own.setAtIndex(Loops.I32, 0, color);
        own.setAtIndex(Loops.I32, 1, key);
        execute(Call.of(Kind.SPLIT, own, own, ElementType.INT32, Reduction.SUM, 2, 0));
        return join(color);
    }

    /** Calls of the last operation stay readable: nobody publishes two operations later before having met this rank. */
    private Communicator join(int color) {
        record Member(int rank, int key) {}
        List<Member> members = new ArrayList<>();
        for (int other = 0; other < size; other++) {
            MemorySegment choice = group.call(other, operation).send();
            if (choice.getAtIndex(Loops.I32, 0) == color) {
                members.add(new Member(other, choice.getAtIndex(Loops.I32, 1)));
            }
        }
        members.sort(Comparator.comparingInt(Member::key).thenComparingInt(Member::rank));
        LocalGroup child = group.child(operation, color, members.size());
        long split = operation;
        execute(meeting(Kind.BARRIER));
        group.forgetChild(split, color);
        int position = members.stream().map(Member::rank).toList().indexOf(rank);
        return child.member(position);
    }

    @Override
    public void abort(String reason) {
        group.end(rank, reason);
    }

    @Override
    protected String whoIsBehind() {
        return group.whoIsBehind(rank);
    }

    @Override
    protected void leave() {
        group.close(rank);
    }

    @Override
    protected void release() {
        memory.close();
    }
}
