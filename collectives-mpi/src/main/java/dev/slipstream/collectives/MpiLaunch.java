package dev.slipstream.collectives;

import java.util.Map;
import java.util.Optional;

/** How this JVM was started: whether {@code mpirun} did it, and what it says. Reads the environment; starts nothing. */
public final class MpiLaunch {
    private MpiLaunch() {}

    /** Whether this JVM is one rank of an {@code mpirun}. */
    public static boolean isUnderMpirun() {
        return worldSize(System.getenv()).isPresent();
    }

    /** How many ranks {@code mpirun} started; 1 without it. */
    public static int worldSize() {
        return worldSize(System.getenv()).orElse(1);
    }

    /** This JVM's rank; 0 without {@code mpirun}. */
    public static int rank() {
        return number(System.getenv(), "OMPI_COMM_WORLD_RANK").orElse(0);
    }

    static Optional<Integer> worldSize(Map<String, String> environment) {
        return number(environment, "OMPI_COMM_WORLD_SIZE");
    }

    private static Optional<Integer> number(Map<String, String> environment, String name) {
        String value = environment.get(name);
        try {
            return value == null ? Optional.empty() : Optional.of(Integer.valueOf(value));
        } catch (NumberFormatException notByMpirun) {
            return Optional.empty();
        }
    }
}
