package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.EngineKind;
import dev.slipstream.kernels.EngineOptions;
import dev.slipstream.kernels.KernelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import uk.ac.manchester.tornado.api.TornadoBackend;
import uk.ac.manchester.tornado.api.TornadoRuntime;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;

/**
 * What there is of TornadoVM in this JVM. It is asked once: after a first failure the JVM itself only says that classes are
 * missing, so the reason is kept. Safe from several threads.
 */
public final class TornadoSupport {
    private static final String REMEDY = "; --engine cpu does without it.";

    /**
     * A device of TornadoVM.
     *
     * @param id what {@code --device} takes: {@code BACKEND:INDEX}
     * @param name the hardware's name
     * @param gpu whether it is a GPU
     * @param memoryBytes its memory
     */
    public record Device(String id, String name, boolean gpu, long memoryBytes) {}

    private record Entry(Device device, TornadoDevice handle) {}

    /** What was found: devices, or else the reason why there are none. */
    private record Found(boolean emulator, List<Entry> entries, String reason) {}

    /** Asked when first needed. */
    private static final class Probe {
        static final Found FOUND = probe();
    }

    private TornadoSupport() {}

    /** The devices; empty where TornadoVM is not available, for the {@link #reason}. */
    public static List<Device> devices() {
        return found().entries().stream().map(Entry::device).toList();
    }

    /** Why there are no devices; empty where there are some. */
    public static String reason() {
        return found().reason();
    }

    private static Found found() {
        return Probe.FOUND;
    }

    private static Found probe() {
        try {
            TornadoRuntime runtime = TornadoRuntimeProvider.getTornadoRuntime();
            boolean emulator = runtime.getClass().getName().startsWith("dev.slipstream.emulator.");
            List<Entry> entries = new ArrayList<>();
            for (int number = 0; number < runtime.getNumBackends(); number++) {
                TornadoBackend backend = runtime.getBackend(number);
                for (int index = 0; index < backend.getNumDevices(); index++) {
                    TornadoDevice device = backend.getDevice(index);
                    entries.add(new Entry(
                            new Device(
                                    backend(device) + ":" + index,
                                    device.getPhysicalDevice().getDeviceName().strip(),
                                    device.getDeviceType() == TornadoDeviceType.GPU,
                                    device.getMaxGlobalMemory()),
                            device));
                }
            }
            String reason = !entries.isEmpty()
                    ? ""
                    : runtime.getNumBackends() == 0
                            ? "the TornadoVM SDK has no backend (sdk install tornadovm VERSION-opencl)"
                            : "TornadoVM finds no device (an OpenCL driver such as pocl-opencl-icd adds one)";
            return new Found(emulator, entries, reason);
        } catch (RuntimeException | LinkageError e) {
            return new Found(false, List.of(), reason(e));
        }
    }

    private static String reason(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String said = cause.getClass().getSimpleName()
                + (cause.getMessage() == null
                        ? ""
                        : ": "
                                + cause.getMessage()
                                        .lines()
                                        .findFirst()
                                        .orElse("")
                                        .strip());
        return cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException
                ? "no TornadoVM SDK was on the class path when Java started; the launcher looks in TORNADOVM_HOME and"
                        + " ~/tornadovm (sdk install tornadovm)"
                : "TornadoVM did not start (" + said + ")";
    }

    /** The device that the options, or else the property {@code slipstream.device}, or else nobody asked for. */
    static TornadoDevice device(EngineOptions options) {
        EngineKind kind = options.kind();
        Found found = found();
        if (found.entries().isEmpty()) {
            throw new KernelException(kind + ": not available, because " + found.reason() + REMEDY);
        }
        if (found.emulator() != (kind == EngineKind.EMULATOR)) {
            throw new KernelException(kind + ": not available, because the classes found are those of "
                    + (found.emulator() ? "the emulator" : "TornadoVM itself")
                    + (kind == EngineKind.EMULATOR
                            ? "; put tornado-emulator's jar on the class path, and no SDK."
                            : REMEDY));
        }
        if (kind == EngineKind.TORNADO) {
            RunTimeChecks.all();
        }
        String wanted = options.device().orElse(System.getProperty("slipstream.device", ""));
        return wanted.isEmpty() ? preferred(found) : named(found, wanted);
    }

    private static TornadoDevice preferred(Found found) {
        return found.entries().stream()
                .filter(entry -> entry.device().gpu())
                .map(Entry::handle)
                .findFirst()
                .orElseGet(() -> TornadoRuntimeProvider.getTornadoRuntime().getDefaultDevice());
    }

    private static TornadoDevice named(Found found, String wanted) {
        return found.entries().stream()
                .filter(entry -> entry.device().id().equalsIgnoreCase(wanted)
                        || numeric(entry).equals(wanted))
                .map(Entry::handle)
                .findFirst()
                .orElseThrow(() -> new KernelException("There is no device " + wanted + " here; there "
                        + (found.entries().size() == 1 ? "is " : "are ")
                        + found.entries().stream()
                                .map(entry -> entry.device().id() + " ("
                                        + entry.device().name() + ")")
                                .collect(Collectors.joining(", "))
                        + REMEDY));
    }

    /** TornadoVM's own way to name a device: the backend by its number. */
    private static String numeric(Entry entry) {
        String id = entry.device().id();
        return entry.handle().getBackendIndex() + id.substring(id.indexOf(':'));
    }

    private static String backend(TornadoDevice device) {
        return device.getTornadoVMBackend().name().toLowerCase(Locale.ROOT);
    }

    /** A device's id. */
    static String id(TornadoDevice device) {
        return found().entries().stream()
                .filter(entry -> entry.handle().equals(device))
                .map(entry -> entry.device().id())
                .findFirst()
                .orElse(backend(device));
    }
}
