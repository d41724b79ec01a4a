package dev.slipstream.collectives.mpi;

import java.util.Optional;

/** Which {@link MpiBinding} this process uses. The system property {@code slipstream.mpi.binding} names it. */
final class Bindings {
    private Bindings() {}

    /** The binding asked for; {@code ffm} by default. */
    static String wanted() {
        String wanted = System.getProperty("slipstream.mpi.binding", "ffm");
        if (!wanted.equals("ffm") && !wanted.equals("java")) {
            throw new IllegalArgumentException(
                    "Unknown MPI binding '" + wanted + "'; known are ffm (the default) and java (Open MPI's mpi.jar).");
        }
        return wanted;
    }

    /** Why the wanted binding can't be used, as the end of a sentence that starts with 'because'. */
    static Optional<String> missing() {
        return LibMpi.missing();
    }

    static MpiBinding choose() {
        return new FfmBinding();
    }
}
