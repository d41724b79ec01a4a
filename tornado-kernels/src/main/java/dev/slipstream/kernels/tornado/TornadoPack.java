package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.BucketLayout;
import dev.slipstream.kernels.Checks;
import dev.slipstream.kernels.FloatFormat;
import dev.slipstream.kernels.PackKernel;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Packing of gradients that lie on the host. They are gathered in one host buffer as they come, a copy that an upload of
 * gradients from the heap needs anyhow, so that a bucket costs one upload and one task whatever the number of gradients.
 * The task scales, and casts where the bucket has 16 bits. Gradients that are on the device already go through {@link
 * DevicePack}.
 */
final class TornadoPack implements PackKernel {
    private final BucketLayout layout;
    private final FloatFormat gradientFormat;
    private final MemorySegment gathered;
    private final PackGraphs graphs;
    private volatile float factor = 1f;

    /**
     * A pack kernel.
     *
     * @param gathered where gradients are gathered, in their own format: the bucket itself, unless it has another
     */
    TornadoPack(BucketLayout layout, FloatFormat gradientFormat, MemorySegment gathered, PackGraphs graphs) {
        this.layout = layout;
        this.gradientFormat = gradientFormat;
        this.gathered = gathered;
        this.graphs = graphs;
    }

    private MemorySegment slot(int slot) {
        int bytes = gradientFormat.bytes();
        return gathered.asSlice(layout.offset(slot) * bytes, layout.length(slot) * bytes);
    }

    @Override
    public void put(int slot, MemorySegment gradient, float by) {
        Checks.gradient(layout, slot, gradient, gradientFormat);
        slot(slot).copyFrom(gradient);
        factor = by;
    }

    @Override
    public void flush() {
        graphs.pack(factor);
    }

    @Override
    public void putAll(List<MemorySegment> gradients, float by) {
        Checks.gradients(layout, gradients, gradientFormat);
        for (int slot = 0; slot < gradients.size(); slot++) {
            slot(slot).copyFrom(gradients.get(slot));
        }
        factor = by;
        flush();
    }

    @Override
    public void load() {
        graphs.unpack();
    }

    @Override
    public void take(int slot, MemorySegment gradient) {
        Checks.gradient(layout, slot, gradient, gradientFormat);
        gradient.copyFrom(slot(slot));
    }

    @Override
    public void takeAll(List<MemorySegment> gradients) {
        Checks.gradients(layout, gradients, gradientFormat);
        load();
        for (int slot = 0; slot < gradients.size(); slot++) {
            gradients.get(slot).copyFrom(slot(slot));
        }
    }

    @Override
    public void close() {
        graphs.close();
    }
}
