/** The {@code slipstream} command line, the training job and the benchmarks. */
@NullMarked
package dev.slipstream.bench;

import org.jspecify.annotations.NullMarked;
