/**
 * The algorithms of collectives. They know nothing of the wire: a {@link dev.slipstream.collectives.strategy.Wire} sends and
 * receives for them.
 */
@NullMarked
package dev.slipstream.collectives.strategy;

import org.jspecify.annotations.NullMarked;
