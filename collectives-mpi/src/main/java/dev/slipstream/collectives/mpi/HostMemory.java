package dev.slipstream.collectives.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.slipstream.collectives.CollectiveException;
import dev.slipstream.collectives.shared.Patience;
import dev.slipstream.collectives.shared.SharedGroup;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory shared by the ranks of a communicator, or the reason why there is none: the same on all of them. */
final class HostMemory {
    private static final Logger LOG = LoggerFactory.getLogger(HostMemory.class);
    private static final int PATH_BYTES = 1024;

    private final @Nullable SharedGroup group;
    private final String reason;

    private HostMemory(@Nullable SharedGroup group, String reason) {
        this.group = group;
        this.reason = reason;
    }

    Optional<SharedGroup> group() {
        return Optional.ofNullable(group);
    }

    /** Why there is none, as the end of a sentence that starts with 'because'. */
    String reason() {
        return reason;
    }

    static HostMemory none(String reason) {
        return new HostMemory(null, reason);
    }

    /** Opens memory shared by all ranks of {@code comm}, which are on one host. Collective, on the MPI thread. */
    static HostMemory open(MpiBinding.Comm comm, Patience patience, int spins) {
        Path path = Path.of(agreeOnPath(comm));
        SharedGroup group = null;
        String failure = "another rank can't share memory";
        try {
            group = new SharedGroup(path, comm.rank(), comm.size(), patience, spins);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            failure = path.getParent() + " can't be used: " + e;
        }
        boolean everywhere = allTrue(comm, group != null);
        if (comm.rank() == 0) {
            unlink(path);
        }
        if (!everywhere) {
            if (group != null) {
                group.close();
            }
            LOG.warn("Ranks of this host can't share memory, because {}.", failure);
            return none(failure);
        }
        return new HostMemory(group, "");
    }

    /** The system property {@code slipstream.shared.dir} names another directory than {@code /dev/shm}. */
    private static String agreeOnPath(MpiBinding.Comm comm) {
        MemorySegment text = Arena.ofAuto().allocate(PATH_BYTES);
        if (comm.rank() == 0) {
            Path directory = Path.of(System.getProperty("slipstream.shared.dir", "/dev/shm"));
            byte[] bytes = directory
                    .resolve("slipstream-" + UUID.randomUUID())
                    .toString()
                    .getBytes(UTF_8);
            if (bytes.length >= PATH_BYTES) {
                throw new CollectiveException("The path in slipstream.shared.dir is longer than " + PATH_BYTES + ".");
            }
            MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
        }
        MpiBinding.Request request = comm.startBroadcast(text, 0);
        while (!request.test()) {
            Thread.onSpinWait();
        }
        return text.getString(0);
    }

    /** Whether something holds on all ranks. Collective, on the MPI thread. */
    static boolean allTrue(MpiBinding.Comm comm, boolean here) {
        MemorySegment flag = Arena.ofAuto().allocate(Integer.BYTES, Integer.BYTES);
        flag.set(ValueLayout.JAVA_INT, 0, here ? 1 : 0);
        comm.allReduce(flag, flag, 1, MpiBinding.Type.INT32, MpiBinding.Op.MIN);
        return flag.get(ValueLayout.JAVA_INT, 0) == 1;
    }

    private static void unlink(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("{} could not be unlinked and stays behind: {}", path, e.toString());
        }
    }
}
