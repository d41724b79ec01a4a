package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;

/**
 * Memory that an engine's kernels read and write: on the cpu engine the payload itself, elsewhere the payload and its
 * twin on the device. Kernels that take a buffer say whether they upload and download it; between kernels a buffer may
 * stay on the device.
 */
public interface KernelBuffer {
    /** The host's side: what a communicator sends. Aligned to 64 bytes where the allocation was. */
    MemorySegment payload();

    /** Size of the payload in bytes. */
    default long bytes() {
        return payload().byteSize();
    }
}
