/**
 * What the transports share, and no one else should use: {@link dev.slipstream.collectives.transport.QueuedCommunicator}
 * checks arguments and runs one operation after another; a transport only has to execute them.
 */
@NullMarked
package dev.slipstream.collectives.transport;

import org.jspecify.annotations.NullMarked;
