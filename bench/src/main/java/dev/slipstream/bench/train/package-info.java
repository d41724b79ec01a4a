/** The training job: the digits, the network, and one rank's loop, {@link dev.slipstream.bench.train.Training}, which is the entry. */
@NullMarked
package dev.slipstream.bench.train;

import org.jspecify.annotations.NullMarked;
