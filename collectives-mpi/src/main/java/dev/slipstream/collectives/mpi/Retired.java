package dev.slipstream.collectives.mpi;

import java.util.List;

/**
 * The communicators of MPI that a closed {@link MpiCommunicator} leaves behind. They are freed only when every rank has said
 * that it left: a message that arrives for a freed one could reach its successor of the same number.
 */
record Retired(List<MpiBinding.Comm> comms, ControlChannel control) {
    /** Frees them if that may be done by now. */
    boolean tryFree() {
        if (comms.stream().anyMatch(comm -> comm.pending() > 0) || !control.isOver()) {
            return false;
        }
        control.stop();
        comms.forEach(MpiBinding.Comm::free);
        control.comm().free();
        return true;
    }
}
