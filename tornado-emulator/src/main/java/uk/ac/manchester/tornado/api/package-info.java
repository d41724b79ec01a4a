/**
 * The part of TornadoVM's public API that kernels use: task graphs, execution plans, grids and the kernel context, with
 * the signatures of TornadoVM 5.2.0 and, behind them, {@link dev.slipstream.emulator}.
 */
@NullMarked
package uk.ac.manchester.tornado.api;

import org.jspecify.annotations.NullMarked;
