/**
 * Collectives between ranks: {@link dev.slipstream.collectives.Communicator} is the entry, its static factories open a
 * transport. Algorithms know nothing of the wire, transports nothing of algorithms.
 */
@NullMarked
package dev.slipstream.collectives;

import org.jspecify.annotations.NullMarked;
