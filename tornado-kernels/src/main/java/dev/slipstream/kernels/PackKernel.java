package dev.slipstream.kernels;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A prepared bucket: gradients go in one by one as they appear ({@link #put}, then {@link #flush}) or all at once
 * ({@link #putAll}), and come out again ({@link #take}, {@link #takeAll}).
 *
 * <p>Gradients are segments, native or on the heap ({@link MemorySegment#ofArray(float[])}), of the slot's length in the
 * kernel's gradient format. Unlike other kernels, {@link #put} may be called by several threads for different slots.
 */
public interface PackKernel extends AutoCloseable {
    /**
     * Puts one gradient, times {@code factor}, into its slot. A 1/n folded in here costs no pass of its own. One step uses
     * one factor.
     */
    void put(int slot, MemorySegment gradient, float factor);

    /** After the last {@link #put} of a step: when it returns, the bucket's payload on the host is complete. */
    void flush();

    /** Puts all gradients, in slot order, and flushes. */
    void putAll(List<MemorySegment> gradients, float factor);

    /** Before the first {@link #take} of a step: the bucket's payload on the host has changed. */
    void load();

    /** Copies a slot back to a gradient, widened to the gradient format. */
    void take(int slot, MemorySegment gradient);

    /** Loads, and takes all gradients in slot order. */
    void takeAll(List<MemorySegment> gradients);

    @Override
    void close();
}
