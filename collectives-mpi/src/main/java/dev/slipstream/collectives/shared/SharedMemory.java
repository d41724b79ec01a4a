package dev.slipstream.collectives.shared;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/**
 * The file that all ranks of a group map, so that an offset in it names the same bytes on every rank. It is sparse: it has
 * room for far more than there is memory, and pages come into being only as a rank allocates them.
 *
 * <p>First a slot per rank, then a staging area per rank, then an area per rank for {@link #allocate}. A slot holds two
 * counters on cache lines of their own (each has one writer and many readers), two headers and two small payloads that are
 * used in turn, and a text.
 */
final class SharedMemory implements AutoCloseable {
    /** Payloads up to this size travel inside the slots. */
    static final int INLINE_BYTES = 4096;

    static final int TEXT_BYTES = 512;

    /** Half of a rank's staging area: one for what goes in, one for what comes out. */
    static final long STAGE_BYTES = 1L << 20;

    private static final long LINE = 64;
    private static final long PHASE = 0;
    private static final long OPERATION = 128;
    private static final long HEADERS = 256;
    private static final long HEADER_BYTES = 64;
    private static final long TEXT = 1024;
    private static final long PAYLOADS = 4096;
    private static final long SLOT_BYTES = PAYLOADS + 2 * INLINE_BYTES;

    /** Address space, not memory. */
    private static final long AREA_BYTES = 1L << 36;

    private static final VarHandle I64 = ValueLayout.JAVA_LONG.varHandle();

    private final int rank;
    private final int size;
    private final Arena arena = Arena.ofShared();
    private final FileChannel file;
    private final MemorySegment all;
    private long allocated;

    SharedMemory(Path path, int rank, int size) throws IOException {
        this.rank = rank;
        this.size = size;
        file = FileChannel.open(path, READ, WRITE, CREATE);
        try {
            all = file.map(MapMode.READ_WRITE, 0, area(size), arena);
            // A page that the file system has no room for would end the JVM at the first touch: writing says so first.
            zero(rank * SLOT_BYTES, SLOT_BYTES);
            zero(stage(rank, 0), 2 * STAGE_BYTES);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    private long stage(int owner, int half) {
        return size * SLOT_BYTES + (owner * 2L + half) * STAGE_BYTES;
    }

    private long area(int owner) {
        return size * (SLOT_BYTES + 2 * STAGE_BYTES) + owner * AREA_BYTES;
    }

    private void zero(long offset, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, 1 << 20));
        for (long done = 0; done < bytes; ) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - done));
            done += file.write(zeros, offset + done);
        }
    }

    /**
     * Zeroed memory in this rank's area.
     *
     * @throws IOException when the file system is full
     */
    synchronized MemorySegment allocate(long bytes) throws IOException {
        if (bytes > AREA_BYTES - allocated) {
            throw new IOException("a rank can share at most " + AREA_BYTES + " bytes");
        }
        long offset = area(rank) + allocated;
        zero(offset, bytes);
        allocated += (bytes + LINE - 1) / LINE * LINE;
        return all.asSlice(offset, bytes);
    }

    /** Where a buffer lies in the file; -1 when it does not lie in it. */
    long offsetOf(MemorySegment buffer) {
        long offset = buffer.address() - all.address();
        return offset >= 0 && offset <= all.byteSize() - buffer.byteSize() ? offset : -1;
    }

    MemorySegment at(long offset, long bytes) {
        return all.asSlice(offset, bytes);
    }

    /** A half of a rank's staging area: 0 or 1. */
    MemorySegment staging(int owner, int half, long bytes) {
        return all.asSlice(stage(owner, half), bytes);
    }

    MemorySegment payload(int owner, long operation, long bytes) {
        return all.asSlice(owner * SLOT_BYTES + PAYLOADS + (operation & 1) * INLINE_BYTES, bytes);
    }

    void setHeader(long operation, int word, long value) {
        all.set(ValueLayout.JAVA_LONG, headerAt(rank, operation, word), value);
    }

    long header(int owner, long operation, int word) {
        return all.get(ValueLayout.JAVA_LONG, headerAt(owner, operation, word));
    }

    private static long headerAt(int owner, long operation, int word) {
        return owner * SLOT_BYTES + HEADERS + (operation & 1) * HEADER_BYTES + word * 8L;
    }

    void setText(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        int length = Math.min(bytes.length, TEXT_BYTES - 1);
        MemorySegment to = all.asSlice(rank * SLOT_BYTES + TEXT, TEXT_BYTES);
        MemorySegment.copy(bytes, 0, to, ValueLayout.JAVA_BYTE, 0, length);
        to.set(ValueLayout.JAVA_BYTE, length, (byte) 0);
    }

    String text(int owner) {
        return all.getString(owner * SLOT_BYTES + TEXT);
    }

    /** Publishes all that this rank wrote before. */
    void setPhase(long phase) {
        I64.setRelease(all, rank * SLOT_BYTES + PHASE, phase);
    }

    /** With the value comes all that the owner wrote before it. */
    long phase(int owner) {
        return (long) I64.getAcquire(all, owner * SLOT_BYTES + PHASE);
    }

    void setOperation(long operation) {
        I64.setOpaque(all, rank * SLOT_BYTES + OPERATION, operation);
    }

    long operation(int owner) {
        return (long) I64.getOpaque(all, owner * SLOT_BYTES + OPERATION);
    }

    @Override
    public void close() {
        arena.close();
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
