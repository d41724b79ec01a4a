/**
 * The kernels as TaskGraphs of TornadoVM, compiled against its public API: they run on TornadoVM's devices and, unchanged,
 * on the emulator.
 */
@NullMarked
package dev.slipstream.kernels.tornado;

import org.jspecify.annotations.NullMarked;
