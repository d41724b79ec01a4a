/**
 * Synchronises gradients during the backward pass: {@link dev.slipstream.scheduler.GradientSynchronizer} is the entry,
 * what a training loop talks to. It plans buckets, fills them as gradients appear, and has them all-reduced on a thread
 * of its own, in an order that is the same on every rank.
 */
@NullMarked
package dev.slipstream.scheduler;

import org.jspecify.annotations.NullMarked;
