package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.CollectiveException;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorOptions;
import java.util.Optional;

/** The entry to the {@code mpi} transport; users come here through {@link Communicator#mpi(CommunicatorOptions)}. */
public final class MpiTransport {
    private MpiTransport() {}

    /**
     * Opens a communicator over all ranks of this job. Collective: all ranks open the same communicators in the same order.
     *
     * @throws CollectiveException when MPI is not available, or a rank does not come
     */
    public static Communicator open(CommunicatorOptions options) {
        MpiProcess process = MpiProcess.get();
        MpiCommunicator communicator = process.onMpiThread(
                "MPI_Comm_dup",
                () -> MpiCommunicator.over(process, process.world().dup(), options),
                process.openingTimeout(options.timeout()));
        communicator.compareOptions();
        return communicator;
    }

    /** Why this transport can't be used, with the remedy; empty when it can. Doesn't start MPI. */
    public static Optional<String> unavailable() {
        return MpiProcess.unavailable();
    }
}
