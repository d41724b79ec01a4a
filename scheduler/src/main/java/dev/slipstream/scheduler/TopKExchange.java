package dev.slipstream.scheduler;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.slipstream.collectives.CollectiveHandle;
import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.kernels.BucketLayout;
import dev.slipstream.kernels.FloatFormat;
import dev.slipstream.kernels.KernelBuffer;
import dev.slipstream.kernels.KernelEngine;
import dev.slipstream.kernels.PackKernel;
import dev.slipstream.kernels.TopKKernel;
import java.lang.foreign.MemorySegment;

/**
 * Each rank sends the k elements of largest magnitude of gradient plus residual, as k indices and then k values, by an
 * all-gather; what it does not send is its next residual. Every rank adds what all have sent, times 1/n, in rank order,
 * and so gets the same bits.
 *
 * <p>Gradients and residuals are unscaled: what was sent and what remains sum to gradient plus old residual.
 */
final class TopKExchange implements BucketExchange {
    private final Communicator communicator;
    private final MemorySegment[] views;
    private final MemorySegment[] residuals;
    private final KernelBuffer dense;
    private final PackKernel pack;
    private final TopKKernel select;
    private final int k;
    private final MemorySegment send;
    private final MemorySegment receive;

    TopKExchange(
            Communicator communicator,
            KernelEngine engine,
            PlannedBucket plan,
            double ratio,
            MemorySegment denseAllocation,
            MemorySegment residualAllocation) {
        this.communicator = communicator;
        BucketLayout layout = DenseExchange.layout(plan);
        long elements = layout.elements();
        if (elements > Integer.MAX_VALUE) {
            throw new GradientException(
                    "The compression topk indexes by int32, but the bucket of " + Names.of(plan.parameters()) + " has "
                            + elements + " elements; split that parameter, or use fp16.");
        }
        k = TopKKernel.count(ratio, elements);
        dense = engine.wrap(denseAllocation);
        KernelBuffer residualBuffer = engine.wrap(residualAllocation);
        views = DenseExchange.slots(layout, dense.payload(), ElementType.FLOAT32);
        residuals = DenseExchange.slots(layout, residualBuffer.payload(), ElementType.FLOAT32);
        pack = engine.pack(layout, dense, FloatFormat.FLOAT32, FloatFormat.FLOAT32);
        select = engine.topK(dense, residualBuffer, elements, k);
        send = communicator.allocate(8L * k);
        receive = communicator.allocate(Math.multiplyExact(8L * k, (long) communicator.size()));
    }

    @Override
    public void put(int slot, MemorySegment gradient) {
        if (!gradient.equals(view(slot))) {
            pack.put(slot, gradient, 1f);
        }
    }

    @Override
    public CollectiveHandle launch() {
        pack.flush();
        select.run(k);
        send.asSlice(0, 4L * k).copyFrom(select.indices());
        send.asSlice(4L * k).copyFrom(select.values());
        return communicator.allGatherAsync(send, receive, ElementType.INT32);
    }

    @Override
    public void complete() {
        MemorySegment sum = dense.payload();
        sum.fill((byte) 0);
        float factor = 1f / communicator.size();
        for (int rank = 0; rank < communicator.size(); rank++) {
            long indices = 8L * k * rank;
            long values = indices + 4L * k;
            for (long i = 0; i < 4L * k; i += 4) {
                // The index came over the wire: the segment's bounds check guards against a corrupt one.
                long target = 4L * receive.get(JAVA_INT, indices + i);
                float value = receive.get(JAVA_FLOAT, values + i) * factor;
                sum.set(JAVA_FLOAT, target, sum.get(JAVA_FLOAT, target) + value);
            }
        }
        pack.load();
    }

    @Override
    public void take(int slot, MemorySegment gradient) {
        if (!gradient.equals(view(slot))) {
            pack.take(slot, gradient);
        }
    }

    @Override
    public MemorySegment view(int slot) {
        return views[slot];
    }

    /** What this rank has not sent yet of a slot's gradient. */
    MemorySegment residual(int slot) {
        select.storeResidual();
        return residuals[slot];
    }

    @Override
    public long bytesOnWire() {
        return (communicator.size() - 1) * 8L * k;
    }

    @Override
    public void close() {
        select.close();
        pack.close();
    }
}
