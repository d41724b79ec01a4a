package dev.slipstream.collectives.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The symbols of Open MPI's libmpi (ABI 40: releases 3 to 5). Handles are addresses of the library's own objects, as
 * {@code mpi.h} defines them: {@code MPI_COMM_WORLD} is {@code &ompi_mpi_comm_world}. The method handles are static
 * constants, so that the JIT compiler makes plain calls of them.
 *
 * <p>Touch this class only after {@link #missing()} has said that nothing is missing: its initialisation needs them all.
 */
final class LibMpi {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup(libraryName(), Arena.global());

    static final int THREAD_MULTIPLE = 3;
    static final int COMM_TYPE_SHARED = 0;
    static final int MAX_ERROR_STRING = 256;
    static final int MAX_LIBRARY_VERSION_STRING = 256;
    static final MemorySegment IN_PLACE = MemorySegment.ofAddress(1);
    static final MemorySegment STATUS_IGNORE = MemorySegment.NULL;

    static final MemorySegment COMM_WORLD = symbol("ompi_mpi_comm_world");
    static final MemorySegment INFO_NULL = symbol("ompi_mpi_info_null");
    static final MemorySegment ERRORS_RETURN = symbol("ompi_mpi_errors_return");

    static final MethodHandle INIT_THREAD = function("MPI_Init_thread", ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
    static final MethodHandle INITIALIZED = function("MPI_Initialized", ADDRESS);
    static final MethodHandle FINALIZE = function("MPI_Finalize");
    static final MethodHandle ERROR_STRING = function("MPI_Error_string", JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle LIBRARY_VERSION = function("MPI_Get_library_version", ADDRESS, ADDRESS);
    static final MethodHandle COMM_RANK = function("MPI_Comm_rank", ADDRESS, ADDRESS);
    static final MethodHandle COMM_SIZE = function("MPI_Comm_size", ADDRESS, ADDRESS);
    static final MethodHandle COMM_DUP = function("MPI_Comm_dup", ADDRESS, ADDRESS);
    static final MethodHandle COMM_SPLIT = function("MPI_Comm_split", ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    static final MethodHandle COMM_SPLIT_TYPE =
            function("MPI_Comm_split_type", ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle COMM_FREE = function("MPI_Comm_free", ADDRESS);
    static final MethodHandle COMM_SET_ERRHANDLER = function("MPI_Comm_set_errhandler", ADDRESS, ADDRESS);
    static final MethodHandle ABORT = function("MPI_Abort", ADDRESS, JAVA_INT);
    static final MethodHandle ALLREDUCE =
            function("MPI_Allreduce", ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle IALLREDUCE =
            function("MPI_Iallreduce", ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle IBCAST = function("MPI_Ibcast", ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle ISEND =
            function("MPI_Isend", ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle IRECV =
            function("MPI_Irecv", ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle TEST = function("MPI_Test", ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle CANCEL = function("MPI_Cancel", ADDRESS);
    static final MethodHandle REQUEST_FREE = function("MPI_Request_free", ADDRESS);

    private static final MemorySegment FLOAT = symbol("ompi_mpi_float");
    private static final MemorySegment DOUBLE = symbol("ompi_mpi_double");
    private static final MemorySegment INT32 = symbol("ompi_mpi_int32_t");
    private static final MemorySegment INT64 = symbol("ompi_mpi_int64_t");
    private static final MemorySegment BYTE = symbol("ompi_mpi_byte");

    private static final MemorySegment SUM = symbol("ompi_mpi_op_sum");
    private static final MemorySegment MIN = symbol("ompi_mpi_op_min");
    private static final MemorySegment MAX = symbol("ompi_mpi_op_max");
    private static final MemorySegment BAND = symbol("ompi_mpi_op_band");
    private static final MemorySegment BOR = symbol("ompi_mpi_op_bor");

    private LibMpi() {}

    /** The system property {@code slipstream.mpi.library} names another file than the system's. */
    private static String libraryName() {
        return System.getProperty("slipstream.mpi.library", "libmpi.so.40");
    }

    /** Why this class can't be used, as the end of a sentence that starts with 'because'; empty when it can. */
    static Optional<String> missing() {
        SymbolLookup library;
        try {
            library = SymbolLookup.libraryLookup(libraryName(), Arena.global());
        } catch (IllegalArgumentException notLoaded) {
            return Optional.of(libraryName() + " can't be loaded; install Open MPI (apt-get install openmpi-bin)");
        }
        if (library.find("ompi_mpi_comm_world").isEmpty()) {
            return Optional.of(libraryName() + " is another MPI than Open MPI, whose handles differ; install Open MPI"
                    + " (apt-get install openmpi-bin)");
        }
        return Optional.empty();
    }

    static MemorySegment type(MpiBinding.Type type) {
        return switch (type) {
            case FLOAT -> FLOAT;
            case DOUBLE -> DOUBLE;
            case INT32 -> INT32;
            case INT64 -> INT64;
            case BYTE -> BYTE;
        };
    }

    static MemorySegment op(MpiBinding.Op op) {
        return switch (op) {
            case SUM -> SUM;
            case MIN -> MIN;
            case MAX -> MAX;
            case BAND -> BAND;
            case BOR -> BOR;
        };
    }

    private static MemorySegment symbol(String name) {
        return LIBRARY.findOrThrow(name);
    }

    /** An MPI function: it returns an error code. */
    private static MethodHandle function(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(symbol(name), FunctionDescriptor.of(JAVA_INT, arguments));
    }
}
