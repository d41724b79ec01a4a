package dev.slipstream.scheduler;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.kernels.KernelEngine;
import java.util.List;
import java.util.Map;

/** The buckets of one plan, in launch order, and where in them each parameter lies. */
final class BucketSet implements AutoCloseable {
    private final List<PlannedBucket> plan;
    private final GradientBucket[] buckets;
    private final GradientBucket[] bucketOf;
    private final int[] slotOf;

    private BucketSet(List<PlannedBucket> plan, GradientBucket[] buckets, Map<String, Integer> indices) {
        this.plan = plan;
        this.buckets = buckets;
        bucketOf = new GradientBucket[indices.size()];
        slotOf = new int[indices.size()];
        for (GradientBucket bucket : buckets) {
            int slot = 0;
            for (Parameter parameter : bucket.plan().parameters()) {
                int index = indices.getOrDefault(parameter.name(), -1);
                bucketOf[index] = bucket;
                slotOf[index] = slot++;
            }
        }
    }

    /** Builds the buckets of a plan, over memory that has room for them. */
    static BucketSet build(
            List<PlannedBucket> plan,
            Map<String, Integer> indices,
            Compression compression,
            Communicator communicator,
            KernelEngine engine,
            BucketMemory memory,
            BucketMemory residuals) {
        GradientBucket[] buckets = new GradientBucket[plan.size()];
        int built = 0;
        try {
            for (PlannedBucket bucket : plan) {
                buckets[built] = new GradientBucket(
                        bucket, exchange(bucket, compression, communicator, engine, memory, residuals));
                built++;
            }
            return new BucketSet(plan, buckets, indices);
        } catch (Throwable e) {
            for (int i = 0; i < built; i++) {
                buckets[i].close();
            }
            throw e;
        }
    }

    private static BucketExchange exchange(
            PlannedBucket bucket,
            Compression compression,
            Communicator communicator,
            KernelEngine engine,
            BucketMemory memory,
            BucketMemory residuals) {
        long bytes = bucket.bytes();
        if (bytes == 0) {
            return new EmptyExchange();
        }
        if (compression instanceof Compression.TopK(double ratio) && bucket.type() == ElementType.FLOAT32) {
            return new TopKExchange(communicator, engine, bucket, ratio, memory.cut(bytes), residuals.cut(bytes));
        }
        return new DenseExchange(communicator, engine, bucket, memory.cut(bytes));
    }

    List<PlannedBucket> plan() {
        return plan;
    }

    int size() {
        return buckets.length;
    }

    /** By launch position. */
    GradientBucket bucket(int position) {
        return buckets[position];
    }

    /** By parameter. */
    GradientBucket bucketOf(int parameter) {
        return bucketOf[parameter];
    }

    int slotOf(int parameter) {
        return slotOf[parameter];
    }

    void reset() {
        for (GradientBucket bucket : buckets) {
            bucket.reset();
        }
    }

    @Override
    public void close() {
        for (GradientBucket bucket : buckets) {
            bucket.close();
        }
    }
}
