package dev.slipstream.scheduler;

import dev.slipstream.collectives.ElementType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns parameters to buckets. A pure function of the order and the settings: every rank computes the same plan from the
 * same input, without a word to the others.
 *
 * <p>Parameters are taken in the order in which their gradients are expected. For each type one bucket is open; a
 * parameter joins it when it fits, or else closes it and opens the next.
 *
 * <ul>
 *   <li>It fits when the parameters in the bucket stay within {@code bucketBytes}. Small ones (under {@code
 *       minTensorElements}) do not count for that, as long as the whole stays within {@code bucketBytes} and an eighth: a
 *       bias never closes a bucket just because the weights have filled it.
 *   <li>A parameter above {@code bucketBytes} has a bucket of its own. It closes the open one, unless that holds only small
 *       ones, which wait for company.
 *   <li>The bucket that is opened first closes as soon as it holds {@code firstBucketBytes}.
 * </ul>
 *
 * <p>Buckets go in the order in which they are expected to fill: by the place of their last parameter.
 */
final class BucketPlanner {
    private final OverlapConfig config;
    private final Map<ElementType, OpenBucket> open = new EnumMap<>(ElementType.class);
    private final List<OpenBucket> closed = new ArrayList<>();
    private boolean firstIsOpen;

    private BucketPlanner(OverlapConfig config) {
        this.config = config;
    }

    /** The plan for gradients that arrive in the given order. */
    static List<PlannedBucket> plan(List<Parameter> arrivals, OverlapConfig config) {
        BucketPlanner planner = new BucketPlanner(config);
        for (int place = 0; place < arrivals.size(); place++) {
            planner.add(place, arrivals.get(place));
        }
        return planner.finish();
    }

    /** What a bucket of gradients of {@code type} holds on the wire. */
    static ElementType wireType(ElementType type, Compression compression) {
        return switch (compression) {
            case Compression.Fp16 _ when type == ElementType.FLOAT32 -> ElementType.FLOAT16;
            case Compression.Bf16 _ when type == ElementType.FLOAT32 -> ElementType.BFLOAT16;
            case Compression.None _, Compression.Fp16 _, Compression.Bf16 _, Compression.TopK _ -> type;
        };
    }

    private void add(int place, Parameter parameter) {
        ElementType wireType = wireType(parameter.type(), config.compression());
        long bytes = Math.multiplyExact(parameter.elements(), (long) wireType.bytes());
        boolean small = parameter.elements() < config.minTensorElements();
        OpenBucket bucket = open.get(parameter.type());
        if (bytes > capacity(parameter.type())) {
            if (bucket != null && !bucket.holdsOnlySmall()) {
                close(bucket);
            }
            OpenBucket own = new OpenBucket(parameter.type(), wireType);
            own.add(place, parameter, bytes, small);
            closed.add(own);
            return;
        }
        if (bucket != null && !fits(bucket, bytes, small)) {
            close(bucket);
            bucket = null;
        }
        if (bucket == null) {
            bucket = new OpenBucket(parameter.type(), wireType);
            bucket.isFirst = !firstIsOpen;
            firstIsOpen = true;
            open.put(parameter.type(), bucket);
        }
        bucket.add(place, parameter, bytes, small);
        if (bucket.isFirst && bucket.bytes() >= config.firstBucketBytes()) {
            close(bucket);
        }
    }

    private boolean fits(OpenBucket bucket, long bytes, boolean small) {
        long capacity = capacity(bucket.type);
        long largeBytes = small ? bucket.largeBytes : Math.addExact(bucket.largeBytes, bytes);
        long allBytes = Math.addExact(bucket.bytes(), bytes);
        return largeBytes <= capacity && allBytes - capacity <= capacity / 8;
    }

    /** Top-k selects by int32 indices: with the eighth, its buckets stay well below 2^31 elements. */
    private long capacity(ElementType type) {
        boolean indexed = config.compression() instanceof Compression.TopK && type == ElementType.FLOAT32;
        return indexed ? Math.min(config.bucketBytes(), 4L << 30) : config.bucketBytes();
    }

    private void close(OpenBucket bucket) {
        open.remove(bucket.type);
        closed.add(bucket);
    }

    private List<PlannedBucket> finish() {
        closed.addAll(open.values());
        closed.sort(Comparator.comparingInt(bucket -> bucket.lastPlace));
        List<PlannedBucket> plan = new ArrayList<>(closed.size());
        for (OpenBucket bucket : closed) {
            plan.add(new PlannedBucket(plan.size(), bucket.type, bucket.wireType, bucket.parameters));
        }
        return List.copyOf(plan);
    }

    private static final class OpenBucket {
        final ElementType type;
        final ElementType wireType;
        final List<Parameter> parameters = new ArrayList<>();
        boolean isFirst;
        long largeBytes;
        long smallBytes;
        int lastPlace;

        OpenBucket(ElementType type, ElementType wireType) {
            this.type = type;
            this.wireType = wireType;
        }

        void add(int place, Parameter parameter, long bytes, boolean small) {
            parameters.add(parameter);
            lastPlace = place;
            if (small) {
                smallBytes = Math.addExact(smallBytes, bytes);
            } else {
                largeBytes = Math.addExact(largeBytes, bytes);
            }
        }

        long bytes() {
            return Math.addExact(largeBytes, smallBytes);
        }

        boolean holdsOnlySmall() {
            return largeBytes == 0;
        }
    }
}
