package dev.slipstream.bench.doctor;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks for what Slipstream can use. Nothing is started or changed; libraries are only opened. */
public final class Doctor {
    private Doctor() {}

    /** Looks for everything. */
    public static List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        findings.add(jdk());
        findings.add(vectors());
        findings.add(machine());
        findings.add(tornado());
        findings.add(library(
                "OpenCL",
                "libOpenCL.so.1",
                "devices of TornadoVM's OpenCL backend",
                "apt-get install pocl-opencl-icd ocl-icd-libopencl1"));
        findings.add(mpirun());
        findings.add(library("Open MPI library", "libmpi.so.40", "the mpi transport", "apt-get install openmpi-bin"));
        findings.add(mpiJar());
        findings.add(
                library("CUDA driver", "libcuda.so.1", "NVIDIA GPUs", "install NVIDIA's driver, where there is a GPU"));
        findings.add(library(
                "NCCL", "libnccl.so.2", "the nccl transport", "apt-get install libnccl2 (NVIDIA's repository)"));
        return findings;
    }

    private static Finding jdk() {
        return Finding.found(
                "JDK",
                Runtime.version() + ", " + System.getProperty("java.vm.name") + ", " + System.getProperty("java.home"));
    }

    private static Finding vectors() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                ? Finding.found("Vector API", "module jdk.incubator.vector")
                : Finding.missing("Vector API", "kernels use plain loops", "java --add-modules jdk.incubator.vector");
    }

    private static Finding machine() {
        long bytes =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getTotalMemorySize()
                        : 0;
        return Finding.found(
                "machine",
                Runtime.getRuntime().availableProcessors() + " processors, " + (bytes >> 30)
                        + " GiB memory, heap at most " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
    }

    private static Finding tornado() {
        String set = System.getenv("TORNADOVM_HOME");
        Path home = set != null ? Path.of(set) : Path.of(System.getProperty("user.home"), "tornadovm");
        if (!Files.isReadable(home.resolve("tornado-argfile"))) {
            return Finding.missing(
                    "TornadoVM",
                    "no SDK in " + home + "; kernels run on the processor",
                    "sdk install tornadovm (https://sdkman.io), and set TORNADOVM_HOME");
        }
        return Finding.found("TornadoVM", home.toString());
    }

    private static Finding library(String what, String name, String use, String remedy) {
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup(name, arena);
            return Finding.found(what, name);
        } catch (IllegalArgumentException e) {
            return Finding.missing(what, "no " + name + ", which " + use + " need", remedy);
        }
    }

    private static Finding mpirun() {
        return onPath("mpirun")
                .map(path -> Finding.found("mpirun", path.toString()))
                .orElseGet(() -> Finding.missing(
                        "mpirun",
                        "not on the PATH; needed for ranks in several processes",
                        "apt-get install openmpi-bin"));
    }

    private static Finding mpiJar() {
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
            if (entry.endsWith("mpi.jar")) {
                return Finding.found("Open MPI's mpi.jar", entry);
            }
        }
        return new Finding(
                "Open MPI's mpi.jar", false, "not on the class path; not needed, libmpi is called directly", "");
    }

    private static Optional<Path> onPath(String command) {
        String path = System.getenv("PATH");
        return path == null
                ? Optional.empty()
                : Stream.of(path.split(java.io.File.pathSeparator, -1))
                        .map(folder -> Path.of(folder, command))
                        .filter(Files::isExecutable)
                        .map(Doctor::resolve)
                        .findFirst();
    }

    private static Path resolve(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }
}
