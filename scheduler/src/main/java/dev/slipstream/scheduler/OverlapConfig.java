package dev.slipstream.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How gradients are synchronised. Immutable; {@link #builder()} starts from the defaults, and so does each preset. A
 * setting that this version does not act on yet is rejected when it is set, never ignored.
 *
 * <p>Ranks must agree on what shapes the messages ({@link #bucketBytes}, {@link #firstBucketBytes}, {@link
 * #minTensorElements}, {@link #compression}); the rest each rank may choose for itself.
 */
public final class OverlapConfig {
    private static final long MIB = 1L << 20;
    private static final OverlapConfig DEFAULTS = builder().build();

    private final boolean enabled;
    private final long bucketBytes;
    private final long firstBucketBytes;
    private final int maxConcurrentOps;
    private final boolean priorityScheduling;
    private final long minTensorElements;
    private final boolean dedicatedCommThread;
    private final boolean doubleBuffering;
    private final boolean autoTune;
    private final long minBucketBytes;
    private final long maxBucketBytes;
    private final double targetOverlapRatio;
    private final int autoTuneWarmup;
    private final Duration communicationTimeout;
    private final Compression compression;

    private OverlapConfig(Builder builder) {
        enabled = builder.enabled;
        bucketBytes = builder.bucketBytes;
        firstBucketBytes =
                builder.firstBucketBytes == null ? Math.min(MIB, builder.bucketBytes) : builder.firstBucketBytes;
        maxConcurrentOps = builder.maxConcurrentOps;
        priorityScheduling = builder.priorityScheduling;
        minTensorElements = builder.minTensorElements;
        dedicatedCommThread = builder.dedicatedCommThread;
        doubleBuffering = builder.doubleBuffering;
        autoTune = builder.autoTune;
        minBucketBytes = builder.minBucketBytes;
        maxBucketBytes = builder.maxBucketBytes;
        targetOverlapRatio = builder.targetOverlapRatio;
        autoTuneWarmup = builder.autoTuneWarmup;
        communicationTimeout = builder.communicationTimeout;
        compression = builder.compression;
    }

    /** 25 MiB buckets, the first of 1 MiB, two under way at a time, on a thread of their own; no compression. */
    public static OverlapConfig defaults() {
        return DEFAULTS;
    }

    /** For links with bandwidth to spare: 50 MiB buckets, four under way at a time. */
    public static OverlapConfig highBandwidth() {
        return builder().bucketBytes(50 * MIB).maxConcurrentOps(4).build();
    }

    /** For links with little latency, or compute that ends soon: 5 MiB buckets, eight under way at a time. */
    public static OverlapConfig lowLatency() {
        return builder().bucketBytes(5 * MIB).maxConcurrentOps(8).build();
    }

    /** Bucket sizes found by measuring. */
    public static OverlapConfig autoTuned() {
        return builder().autoTune(true).build();
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts from these settings. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.enabled = enabled;
        builder.bucketBytes = bucketBytes;
        builder.firstBucketBytes = firstBucketBytes;
        builder.maxConcurrentOps = maxConcurrentOps;
        builder.priorityScheduling = priorityScheduling;
        builder.minTensorElements = minTensorElements;
        builder.dedicatedCommThread = dedicatedCommThread;
        builder.doubleBuffering = doubleBuffering;
        builder.autoTune = autoTune;
        builder.minBucketBytes = minBucketBytes;
        builder.maxBucketBytes = maxBucketBytes;
        builder.targetOverlapRatio = targetOverlapRatio;
        builder.autoTuneWarmup = autoTuneWarmup;
        builder.communicationTimeout = communicationTimeout;
        builder.compression = compression;
        return builder;
    }

    /** Whether buckets go during the backward pass (true), or all of them in {@code finishStep()}. */
    public boolean enabled() {
        return enabled;
    }

    /** The size of a bucket's buffer, in bytes; a parameter larger than that has a bucket of its own. */
    public long bucketBytes() {
        return bucketBytes;
    }

    /** The first bucket closes when it holds this many bytes, so that communication starts early. */
    public long firstBucketBytes() {
        return firstBucketBytes;
    }

    /** How many buckets may be under way at a time. */
    public int maxConcurrentOps() {
        return maxConcurrentOps;
    }

    /** Whether buckets that the next forward pass needs first go first. */
    public boolean priorityScheduling() {
        return priorityScheduling;
    }

    /** Parameters of fewer elements never make a bucket close or a bucket of their own while another has room. */
    public long minTensorElements() {
        return minTensorElements;
    }

    /** Whether communication has a thread of its own, or borrows the training thread inside the synchronizer's methods. */
    public boolean dedicatedCommThread() {
        return dedicatedCommThread;
    }

    /** Whether the next step may fill buckets while the last one's are under way. */
    public boolean doubleBuffering() {
        return doubleBuffering;
    }

    /** Whether bucket sizes are tuned by measuring. */
    public boolean autoTune() {
        return autoTune;
    }

    /** The smallest bucket that tuning tries. */
    public long minBucketBytes() {
        return minBucketBytes;
    }

    /** The largest bucket that tuning tries. */
    public long maxBucketBytes() {
        return maxBucketBytes;
    }

    /** The overlap ratio at which tuning is content. */
    public double targetOverlapRatio() {
        return targetOverlapRatio;
    }

    /** Steps before tuning starts. */
    public int autoTuneWarmup() {
        return autoTuneWarmup;
    }

    /** How long a bucket may be under way before the step fails, naming the ranks that did not come. */
    public Duration communicationTimeout() {
        return communicationTimeout;
    }

    /** How float32 gradients are made smaller for the wire. */
    public Compression compression() {
        return compression;
    }

    @Override
    public String toString() {
        return "OverlapConfig[" + (enabled ? "overlap on" : "overlap off") + ", buckets of " + bucketBytes
                + " bytes (the first " + firstBucketBytes + "), " + maxConcurrentOps
                + " under way at most, compression "
                + compression + "]";
    }

    /** Collects settings; {@link #build()} checks them. */
    public static final class Builder {
        private boolean enabled = true;
        private long bucketBytes = 25 * MIB;
        private @Nullable Long firstBucketBytes;
        private int maxConcurrentOps = 2;
        private boolean priorityScheduling;
        private long minTensorElements = 1000;
        private boolean dedicatedCommThread = true;
        private boolean doubleBuffering;
        private boolean autoTune;
        private long minBucketBytes = MIB;
        private long maxBucketBytes = 256 * MIB;
        private double targetOverlapRatio = 0.8;
        private int autoTuneWarmup = 10;
        private Duration communicationTimeout = Duration.ofMinutes(5);
        private Compression compression = Compression.none();

        private Builder() {}

        /** {@link OverlapConfig#enabled()}; true. */
        public Builder enabled(boolean value) {
            enabled = value;
            return this;
        }

        /** {@link OverlapConfig#bucketBytes()}; 25 MiB. */
        public Builder bucketBytes(long value) {
            bucketBytes = value;
            return this;
        }

        /** {@link OverlapConfig#firstBucketBytes()}; 1 MiB, or {@code bucketBytes} where that is less. */
        public Builder firstBucketBytes(long value) {
            firstBucketBytes = value;
            return this;
        }

        /** {@link OverlapConfig#maxConcurrentOps()}; 2. */
        public Builder maxConcurrentOps(int value) {
            maxConcurrentOps = value;
            return this;
        }

        /** {@link OverlapConfig#priorityScheduling()}; not supported yet. */
        public Builder priorityScheduling(boolean value) {
            priorityScheduling = value;
            return this;
        }

        /** {@link OverlapConfig#minTensorElements()}; 1000. */
        public Builder minTensorElements(long value) {
            minTensorElements = value;
            return this;
        }

        /** {@link OverlapConfig#dedicatedCommThread()}; true. */
        public Builder dedicatedCommThread(boolean value) {
            dedicatedCommThread = value;
            return this;
        }

        /** {@link OverlapConfig#doubleBuffering()}; not supported yet. */
        public Builder doubleBuffering(boolean value) {
            doubleBuffering = value;
            return this;
        }

        /** {@link OverlapConfig#autoTune()}; not supported yet. */
        public Builder autoTune(boolean value) {
            autoTune = value;
            return this;
        }

        /** {@link OverlapConfig#minBucketBytes()}; 1 MiB, read by autoTune only. */
        public Builder minBucketBytes(long value) {
            minBucketBytes = value;
            return this;
        }

        /** {@link OverlapConfig#maxBucketBytes()}; 256 MiB, read by autoTune only. */
        public Builder maxBucketBytes(long value) {
            maxBucketBytes = value;
            return this;
        }

        /** {@link OverlapConfig#targetOverlapRatio()}; 0.8, read by autoTune only. */
        public Builder targetOverlapRatio(double value) {
            targetOverlapRatio = value;
            return this;
        }

        /** {@link OverlapConfig#autoTuneWarmup()}; 10 steps, read by autoTune only. */
        public Builder autoTuneWarmup(int value) {
            autoTuneWarmup = value;
            return this;
        }

        /** {@link OverlapConfig#communicationTimeout()}; 300 s. */
        public Builder communicationTimeout(Duration value) {
            communicationTimeout = value;
            return this;
        }

        /** {@link OverlapConfig#compression()}; none. */
        public Builder compression(Compression value) {
            compression = value;
            return this;
        }

        /**
         * Checks the settings.
         *
         * @throws IllegalArgumentException with one sentence for each setting that is wrong or not supported yet
         */
        public OverlapConfig build() {
            List<String> wrong = new ArrayList<>();
            positive(wrong, "bucketBytes", bucketBytes);
            if (firstBucketBytes != null) {
                positive(wrong, "firstBucketBytes", firstBucketBytes);
                if (firstBucketBytes > bucketBytes) {
                    wrong.add("firstBucketBytes must be at most bucketBytes, but is " + firstBucketBytes + " above "
                            + bucketBytes + ".");
                }
            }
            positive(wrong, "maxConcurrentOps", maxConcurrentOps);
            if (minTensorElements < 0) {
                wrong.add("minTensorElements must be at least 0, but is " + minTensorElements + ".");
            }
            if (communicationTimeout.isNegative() || communicationTimeout.isZero()) {
                wrong.add("communicationTimeout must be positive, but is " + communicationTimeout
                        + "; the default is PT5M.");
            }
            if (communicationTimeout.compareTo(Duration.ofDays(365)) > 0) {
                wrong.add("communicationTimeout must be at most a year, but is " + communicationTimeout + ".");
            }
            unsupported(wrong, "priorityScheduling", priorityScheduling);
            unsupported(wrong, "doubleBuffering", doubleBuffering);
            unsupported(wrong, "autoTune", autoTune);
            readByAutoTune(wrong, "minBucketBytes", minBucketBytes != MIB);
            readByAutoTune(wrong, "maxBucketBytes", maxBucketBytes != 256 * MIB);
            readByAutoTune(wrong, "targetOverlapRatio", targetOverlapRatio != 0.8);
            readByAutoTune(wrong, "autoTuneWarmup", autoTuneWarmup != 10);
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException(String.join(" ", wrong));
            }
            return new OverlapConfig(this);
        }

        private static void positive(List<String> wrong, String setting, long value) {
            if (value <= 0) {
                wrong.add(setting + " must be at least 1, but is " + value + ".");
            }
        }

        private static void unsupported(List<String> wrong, String setting, boolean value) {
            if (value) {
                wrong.add(setting + " is not supported yet; leave it false.");
            }
        }

        private static void readByAutoTune(List<String> wrong, String setting, boolean changed) {
            if (changed) {
                wrong.add(setting + " is read by autoTune only, which is not supported yet; leave it unset.");
            }
        }
    }
}
