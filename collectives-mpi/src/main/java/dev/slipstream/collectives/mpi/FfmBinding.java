package dev.slipstream.collectives.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.slipstream.collectives.CollectiveException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@link MpiBinding} on libmpi through the Foreign Function & Memory API. */
final class FfmBinding implements MpiBinding {
    /** A call of an MPI function through its method handle. */
    @FunctionalInterface
    interface Call {
        @SuppressWarnings("checkstyle:IllegalThrows")
        int run() throws Throwable;
    }

    @Override
    public String name() {
        return "ffm";
    }

    @Override
    public String libraryVersion() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LibMpi.MAX_LIBRARY_VERSION_STRING);
            MemorySegment length = arena.allocate(JAVA_INT);
            check("MPI_Get_library_version", () -> (int) LibMpi.LIBRARY_VERSION.invokeExact(text, length));
            String version = text.getString(0);
            return version.contains(",") ? version.substring(0, version.indexOf(',')) : version;
        }
    }

    /** MPI counts elements; the longest run of bytes is the tightest bound. */
    @Override
    public long maxBytes() {
        return Integer.MAX_VALUE & -8L;
    }

    @Override
    public void initialize() {
        keepUcxAwayFromSignals();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flag = arena.allocate(JAVA_INT);
            check("MPI_Initialized", () -> (int) LibMpi.INITIALIZED.invokeExact(flag));
            if (flag.get(JAVA_INT, 0) == 0) {
                MemorySegment none = MemorySegment.NULL;
                check("MPI_Init_thread", () ->
                        (int) LibMpi.INIT_THREAD.invokeExact(none, none, LibMpi.THREAD_MULTIPLE, flag));
                if (flag.get(JAVA_INT, 0) < LibMpi.THREAD_MULTIPLE) {
                    throw new CollectiveException("mpi: this Open MPI grants thread level " + flag.get(JAVA_INT, 0)
                            + ", but MPI_THREAD_MULTIPLE is needed; build it with --enable-mpi-thread-multiple.");
                }
            }
        }
        check("MPI_Comm_set_errhandler", () ->
                (int) LibMpi.COMM_SET_ERRHANDLER.invokeExact(LibMpi.COMM_WORLD, LibMpi.ERRORS_RETURN));
    }

    /**
     * UCX, where Open MPI was built with it, would catch SIGSEGV, which the JVM raises and handles itself all the time.
     * UCX reads its environment when MPI loads it, so setting it here is early enough; a user's own setting stays.
     */
    private static void keepUcxAwayFromSignals() {
        Linker linker = Linker.nativeLinker();
        MethodHandle setenv = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("setenv"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom("UCX_ERROR_SIGNALS");
            MemorySegment value = arena.allocateFrom("");
            check("setenv", () -> (int) setenv.invokeExact(name, value, 0));
        }
    }

    @Override
    public void finalizeMpi() {
        check("MPI_Finalize", () -> (int) LibMpi.FINALIZE.invokeExact());
    }

    @Override
    public Comm world() {
        return new FfmComm(LibMpi.COMM_WORLD);
    }

    /** Makes a call; an error code becomes an exception with MPI's message. */
    static void check(String function, Call call) {
        int code;
        try {
            code = call.run();
        } catch (Throwable e) {
            throw unexpected(function, e);
        }
        if (code != 0) {
            throw failed(function, code);
        }
    }

    static CollectiveException failed(String function, int code) {
        return new CollectiveException(function + " failed: " + message(code));
    }

    /** A method handle is declared to throw anything; what really comes is an error of the JVM or of ours. */
    static RuntimeException unexpected(String function, Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("The call of " + function + " itself failed.", e);
    }

    private static String message(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LibMpi.MAX_ERROR_STRING);
            MemorySegment length = arena.allocate(JAVA_INT);
            int failed = (int) LibMpi.ERROR_STRING.invokeExact(code, text, length);
            return failed == 0 ? text.getString(0) : "error " + code;
        } catch (Throwable e) {
            throw unexpected("MPI_Error_string", e);
        }
    }
}
