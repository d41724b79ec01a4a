package dev.slipstream.bench.jmh;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.scheduler.GradientSynchronizer;
import dev.slipstream.scheduler.OverlapConfig;
import dev.slipstream.scheduler.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a step costs beside the numbers themselves: 100 gradients handed over and averaged on one rank. The cost per
 * gradient is {@link #gradient} less {@link #copy}, which moves the same numbers there and back and does nothing else.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SynchronizerStepBenchmark {
    private static final int GRADIENTS = 100;

    @Param({"1", "1000"})
    public int elements;

    private final List<Parameter> parameters = new ArrayList<>();
    private final float[][] gradients = new float[GRADIENTS][];
    private float[] bucket = new float[0];
    private Communicator communicator;
    private GradientSynchronizer synchronizer;

    @Setup(Level.Trial)
    public void open() {
        for (int i = 0; i < GRADIENTS; i++) {
            parameters.add(Parameter.float32("p" + i, elements));
            gradients[i] = new float[elements];
        }
        bucket = new float[GRADIENTS * elements];
        communicator = Communicator.local(1).getFirst();
        OverlapConfig config =
                OverlapConfig.builder().bucketBytes(10L * elements * 4).build();
        synchronizer = GradientSynchronizer.create(communicator, parameters, config);
    }

    /** A whole step. */
    @Benchmark
    public void step() {
        for (int i = GRADIENTS - 1; i >= 0; i--) {
            synchronizer.gradientReady(i, gradients[i]);
        }
        synchronizer.finishStep();
    }

    /** A step, divided by its gradients. */
    @Benchmark
    @OperationsPerInvocation(GRADIENTS)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public void gradient() {
        step();
    }

    /** The baseline of {@link #gradient}. */
    @Benchmark
    @OperationsPerInvocation(GRADIENTS)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public float[] copy() {
        for (int i = 0; i < GRADIENTS; i++) {
            System.arraycopy(gradients[i], 0, bucket, i * elements, elements);
        }
        for (int i = 0; i < GRADIENTS; i++) {
            System.arraycopy(bucket, i * elements, gradients[i], 0, elements);
        }
        return bucket;
    }

    @TearDown(Level.Trial)
    public void close() {
        synchronizer.close();
        communicator.close();
    }
}
