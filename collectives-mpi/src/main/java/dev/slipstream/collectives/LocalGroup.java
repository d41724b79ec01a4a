package dev.slipstream.collectives;

import dev.slipstream.collectives.transport.Call;
import dev.slipstream.collectives.transport.Waiter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks of one {@code local} group share: a slot per rank, the mailboxes between them, and the reason why the
 * group ended, if it did.
 *
 * <p>Operations are numbered from 1, and every rank makes them in the same order. A rank publishes its call in its slot
 * and then raises {@link Slot#arrived} to the operation's number; when all have arrived, everyone sees everyone's call.
 * {@link Slot#left} is raised when the rank no longer touches the others' buffers.
 */
final class LocalGroup {
    /** Payloads up to this size travel inside the slots, with one meeting instead of two. */
    static final long INLINE_BYTES = 4096;

    private static final VarHandle ARRIVED = slotField("arrived");
    private static final VarHandle LEFT = slotField("left");

    private final CommunicatorOptions options;
    private final Slot[] slots;
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
    private final Map<String, LocalGroup> children = new ConcurrentHashMap<>();
    private final List<Queue<Message>> mailboxes = new ArrayList<>();

    private LocalGroup(int ranks, CommunicatorOptions options) {
        this.options = options;
        slots = IntStream.range(0, ranks).mapToObj(rank -> new Slot()).toArray(Slot[]::new);
        for (int pair = 0; pair < ranks * ranks; pair++) {
            mailboxes.add(new ConcurrentLinkedQueue<>());
        }
    }

    static List<Communicator> create(int ranks, CommunicatorOptions options) {
        if (ranks < 1) {
            throw new IllegalArgumentException("A local group has at least 1 rank, but " + ranks + " were asked for.");
        }
        switch (options.strategy()) {
            case AUTO, SHARED -> {}
            default ->
                throw new IllegalArgumentException(
                        "The local transport has the strategies auto and shared, but not " + options.strategy() + ".");
        }
        LocalGroup group = new LocalGroup(ranks, options);
        return IntStream.range(0, ranks).<Communicator>mapToObj(group::member).toList();
    }

    int size() {
        return slots.length;
    }

    CommunicatorOptions options() {
        return options;
    }

    LocalCommunicator member(int rank) {
        return new LocalCommunicator(this, rank);
    }

    /** The group that the ranks of one colour make of a split, the same object for all of them. */
    LocalGroup child(long operation, int color, int ranks) {
        return children.computeIfAbsent(operation + ":" + color, key -> new LocalGroup(ranks, options));
    }

    void forgetChild(long operation, int color) {
        children.remove(operation + ":" + color);
    }

    /** Publishes a call and says that this rank has arrived. */
    void arrive(int rank, long operation, Call call) {
        slots[rank].calls[parity(operation)] = call;
        ARRIVED.setRelease(slots[rank], operation);
    }

    /** Says that this rank no longer touches the others' buffers. */
    void leave(int rank, long operation) {
        LEFT.setRelease(slots[rank], operation);
    }

    /** A rank's call; visible once the rank has arrived. */
    Call call(int rank, long operation) {
        Call call = slots[rank].calls[parity(operation)];
        if (call == null) {
            throw new IllegalStateException("rank " + rank + " has no call in operation " + operation);
        }
        return call;
    }

    /**
     * The place of a rank's payload in operations that meet once. Two places taken in turn: who publishes operation k + 2
     * has met everyone in k + 1, and so everyone has left k.
     */
    MemorySegment inlinePayload(int rank, long operation, long bytes) {
        return slots[rank].payload.asSlice(parity(operation) * INLINE_BYTES, bytes);
    }

    private static int parity(long operation) {
        return (int) (operation & 1);
    }

    void awaitArrival(int rank, long operation, Call call) {
        await(rank, operation, call, ARRIVED);
    }

    void awaitLeaving(int rank, long operation, Call call) {
        await(rank, operation, call, LEFT);
    }

    private void await(int self, long operation, Call call, VarHandle counter) {
        Waiter waiter = null;
        for (int rank = 0; rank < slots.length; rank++) {
            while ((long) counter.getAcquire(slots[rank]) < operation) {
                if (waiter == null) {
                    waiter = new Waiter(slots.length, options.timeout().toNanos());
                }
                throwIfEnded();
                if (slots[self].closed) {
                    throw new CommunicatorAbortedException("Rank " + self + " closed its communicator while operation "
                            + operation + " (" + call + ") was under way.");
                }
                // A rank that leaves the group has raised its counters before it says so.
                if (slots[rank].closed && (long) counter.getAcquire(slots[rank]) < operation) {
                    throw new CommunicatorAbortedException("Rank " + self + " waited in operation " + operation + " ("
                            + call + ") for rank " + rank + ", which has closed its communicator.");
                }
                if (!waiter.idle()) {
                    throw timedOut(self, operation, call, counter);
                }
            }
        }
    }

    private CollectiveTimeoutException timedOut(int self, long operation, Call call, VarHandle counter) {
        List<Integer> missing = new ArrayList<>();
        List<Integer> arrived = new ArrayList<>();
        for (int rank = 0; rank < slots.length; rank++) {
            ((long) counter.getAcquire(slots[rank]) < operation ? missing : arrived).add(rank);
        }
        String message = "Operation " + operation + " (" + call + ") did not complete within " + options.timeout()
                + ": rank(s) " + missing + " did not arrive; rank(s) " + arrived + " did.";
        end(self, message);
        return new CollectiveTimeoutException(message, missing);
    }

    /** Which ranks have not arrived where this one waits, as the end of a sentence. */
    String whoIsBehind(int self) {
        long operation = (long) ARRIVED.getAcquire(slots[self]);
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < slots.length; rank++) {
            if ((long) ARRIVED.getAcquire(slots[rank]) < operation) {
                missing.add(rank);
            }
        }
        return missing.isEmpty() ? "." : ": rank(s) " + missing + " did not arrive in operation " + operation + ".";
    }

    /** Ends the group on all ranks; the first reason counts. */
    void end(int rank, String reason) {
        ending.compareAndSet(null, new Ending(rank, reason));
    }

    void throwIfEnded() {
        Ending end = ending.get();
        if (end != null) {
            throw new CommunicatorAbortedException("Rank " + end.rank + " ended the group: " + end.reason);
        }
    }

    void close(int rank) {
        slots[rank].closed = true;
    }

    boolean isClosed(int rank) {
        return slots[rank].closed;
    }

    Queue<Message> mailbox(int source, int destination) {
        return mailboxes.get(source * slots.length + destination);
    }

    private static VarHandle slotField(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(Slot.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Why and by whom the group was ended. */
    private record Ending(int rank, String reason) {}

    /** One rank's place. The two counters lie on cache lines of their own: each has one writer and many readers. */
    @SuppressWarnings("unused") // the padding, and fields that VarHandles reach
    private static final class Slot {
        long p00, p01, p02, p03, p04, p05, p06, p07;
        long p10, p11, p12, p13, p14, p15, p16, p17;
        volatile long arrived;
        long p20, p21, p22, p23, p24, p25, p26, p27;
        long p30, p31, p32, p33, p34, p35, p36, p37;
        volatile long left;
        long p40, p41, p42, p43, p44, p45, p46, p47;
        long p50, p51, p52, p53, p54, p55, p56, p57;
        volatile boolean closed;
        final @Nullable Call[] calls = new Call[2];
        final MemorySegment payload = Arena.ofAuto().allocate(2 * INLINE_BYTES, 128);
    }

    /** A message between two ranks: the sender's buffer, until the receiver has copied it. */
    static final class Message {
        final MemorySegment buffer;
        final ElementType type;
        volatile boolean taken;
        volatile @Nullable String refusal;

        Message(MemorySegment buffer, ElementType type) {
            this.buffer = buffer;
            this.type = type;
        }
    }
}
