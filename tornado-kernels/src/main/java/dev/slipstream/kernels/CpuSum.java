package dev.slipstream.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sums replicas block by block: a block's partial sums stay in the first-level cache, and the target, which may be one of
 * the replicas, is written when all of them have been read.
 */
final class CpuSum implements SumKernel {
    private static final int BLOCK = 2048;

    private final Loops loops;
    private final Workers workers;
    private final MemorySegment[] replicas;
    private final MemorySegment target;
    private final long elements;
    private final MemorySegment[] scratch;

    CpuSum(Loops loops, Workers workers, List<MemorySegment> replicas, MemorySegment target, long elements) {
        this.loops = loops;
        this.workers = workers;
        this.replicas = replicas.toArray(MemorySegment[]::new);
        this.target = target;
        this.elements = elements;
        scratch = new MemorySegment[workers.parts(elements)];
        for (int part = 0; part < scratch.length; part++) {
            scratch[part] = Arena.ofAuto().allocate(BLOCK * 4, 64);
        }
    }

    @Override
    public void run(float factor) {
        workers.run(elements, (part, from, to) -> {
            for (long at = from; at < to; at += BLOCK) {
                sumBlock(scratch[part], at * 4, Math.min(BLOCK, to - at), factor);
            }
        });
    }

    private void sumBlock(MemorySegment sum, long at, long count, float factor) {
        if (replicas.length == 1) {
            loops.scale(replicas[0], at, target, at, count, factor);
            return;
        }
        loops.add(replicas[0], at, replicas[1], at, sum, 0, count);
        for (int i = 2; i < replicas.length; i++) {
            loops.add(sum, 0, replicas[i], at, sum, 0, count);
        }
        loops.scale(sum, 0, target, at, count, factor);
    }

    @Override
    public void close() {}
}
