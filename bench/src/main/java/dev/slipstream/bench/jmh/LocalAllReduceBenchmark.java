package dev.slipstream.bench.jmh;

import dev.slipstream.collectives.Communicator;
import dev.slipstream.collectives.CommunicatorAbortedException;
import dev.slipstream.collectives.CommunicatorOptions;
import dev.slipstream.collectives.ElementType;
import dev.slipstream.collectives.Reduction;
import dev.slipstream.collectives.Strategy;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** All-reduce between threads, as rank 0 sees it, with the other ranks always there. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LocalAllReduceBenchmark {
    @Param({"2"})
    public int ranks;

    @Param({"auto"})
    public String strategy;

    @Param({"4096", "65536", "1048576", "16777216"})
    public int bytes;

    private final List<Thread> others = new ArrayList<>();
    private Communicator communicator;
    private MemorySegment buffer;

    @Setup(Level.Trial)
    public void open() {
        List<Communicator> group =
                Communicator.local(ranks, CommunicatorOptions.defaults().withStrategy(Strategy.parse(strategy)));
        communicator = group.getFirst();
        buffer = communicator.allocate(bytes);
        for (Communicator other : group.subList(1, ranks)) {
            others.add(Thread.ofPlatform().daemon().start(() -> follow(other, bytes)));
        }
    }

    /** JMH's own threads stop one by one, and the last would wait for the others: so these go on until rank 0 leaves. */
    private static void follow(Communicator communicator, int bytes) {
        try (communicator) {
            MemorySegment buffer = communicator.allocate(bytes);
            while (true) {
                communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM);
            }
        } catch (CommunicatorAbortedException e) {
            // Rank 0 has closed: the end of the trial.
        }
    }

    @Benchmark
    public void allReduce() {
        communicator.allReduce(buffer, ElementType.FLOAT32, Reduction.SUM);
    }

    @TearDown(Level.Trial)
    public void close() throws InterruptedException {
        communicator.close();
        for (Thread other : others) {
            other.join();
        }
    }
}
