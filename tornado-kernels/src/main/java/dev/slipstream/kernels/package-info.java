/**
 * The kernel families (averaging, bucket packing, casts, top-k selection) behind one interface, {@link
 * dev.slipstream.kernels.KernelEngine}, which is the entry: {@code cpu} runs them with the Vector API, {@code tornado} as
 * TaskGraphs on the devices of TornadoVM, {@code emulator} runs those same TaskGraphs without one.
 */
@NullMarked
package dev.slipstream.kernels;

import org.jspecify.annotations.NullMarked;
