package dev.slipstream.collectives.mpi;

/**
 * The communicators of MPI that a closed {@link MpiCommunicator} leaves behind. They are freed only when every rank has said
 * that it left: a message that arrives for a freed one could reach its successor of the same number.
 */
record Retired(MpiBinding.Comm comm, MpiBinding.Comm messages, ControlChannel control) {
    /** Frees them if that may be done by now. */
    boolean tryFree() {
        if (comm.pending() > 0 || messages.pending() > 0 || !control.isOver()) {
            return false;
        }
        control.stop();
        comm.free();
        messages.free();
        control.comm().free();
        return true;
    }
}
