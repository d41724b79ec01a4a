/**
 * The emulated device behind the stand-in for TornadoVM's API: {@link dev.slipstream.emulator.Emulator} is the entry,
 * {@link dev.slipstream.emulator.EmulatorOptions} what can be set, {@link dev.slipstream.emulator.KernelFault} what it
 * reports. The other public types are what the API's classes call; nobody else should.
 *
 * <p>It is a test instrument, in the manner of Numba's CUDA simulator and Triton's interpreter: device memory is kept apart
 * from host memory, work-groups and barriers are real, and what a GPU would pass over in silence is an exception.
 *
 * <p>A launch runs its work-items one at a time, group after group. A work-item that meets a barrier pauses there, as a
 * coroutine, while the next one runs; so a kernel without barriers costs no more than a loop.
 */
@NullMarked
package dev.slipstream.emulator;

import org.jspecify.annotations.NullMarked;
