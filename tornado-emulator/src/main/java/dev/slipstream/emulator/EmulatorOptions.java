package dev.slipstream.emulator;

/**
 * What an emulated device is like.
 *
 * @param memoryBytes device memory; an array that no longer fits is a {@code TornadoOutOfMemoryException}
 * @param maxWorkGroupSize the most work-items in a group
 * @param localMemoryBytes local memory of one group
 * @param checks whether faults are looked for that cost time: reads of memory that nothing wrote, conflicting accesses,
 *     stale and lost transfers. Bounds, grids and barriers are always checked.
 */
public record EmulatorOptions(long memoryBytes, int maxWorkGroupSize, int localMemoryBytes, boolean checks) {
    /** 1 GiB (TornadoVM's own default), groups of up to 1024, 48 KiB of local memory, checks on. */
    public static final EmulatorOptions DEFAULTS = new EmulatorOptions(1L << 30, 1024, 48 << 10, true);

    public EmulatorOptions {
        if (memoryBytes < 0 || maxWorkGroupSize < 1 || localMemoryBytes < 0) {
            throw new IllegalArgumentException(
                    "An emulated device needs a work-group size of at least 1 and no negative"
                            + " memory, but got " + maxWorkGroupSize + ", " + memoryBytes + " bytes and "
                            + localMemoryBytes
                            + " bytes of local memory.");
        }
    }

    /**
     * The defaults, changed by the system properties {@code slipstream.emulator.memoryBytes}, {@code .maxWorkGroupSize},
     * {@code .localMemoryBytes} and {@code .checks}.
     */
    public static EmulatorOptions fromProperties() {
        String prefix = "slipstream.emulator.";
        return new EmulatorOptions(
                Long.getLong(prefix + "memoryBytes", DEFAULTS.memoryBytes),
                Integer.getInteger(prefix + "maxWorkGroupSize", DEFAULTS.maxWorkGroupSize),
                Integer.getInteger(prefix + "localMemoryBytes", DEFAULTS.localMemoryBytes),
                Boolean.parseBoolean(System.getProperty(prefix + "checks", Boolean.toString(DEFAULTS.checks))));
    }

    public EmulatorOptions withMemoryBytes(long bytes) {
        return new EmulatorOptions(bytes, maxWorkGroupSize, localMemoryBytes, checks);
    }

    public EmulatorOptions withMaxWorkGroupSize(int size) {
        return new EmulatorOptions(memoryBytes, size, localMemoryBytes, checks);
    }

    public EmulatorOptions withLocalMemoryBytes(int bytes) {
        return new EmulatorOptions(memoryBytes, maxWorkGroupSize, bytes, checks);
    }

    public EmulatorOptions withChecks(boolean on) {
        return new EmulatorOptions(memoryBytes, maxWorkGroupSize, localMemoryBytes, on);
    }
}
