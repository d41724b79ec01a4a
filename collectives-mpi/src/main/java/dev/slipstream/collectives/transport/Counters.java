package dev.slipstream.collectives.transport;

import dev.slipstream.collectives.CommunicatorStats;
import dev.slipstream.collectives.Strategy;
import dev.slipstream.collectives.strategy.StrategyFigure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/** Counts operations. One thread at a time adds; any thread may read, and may see an operation half counted. */
final class Counters {
    private static final VarHandle OPERATIONS = field("operations", long.class);
    private static final VarHandle BYTES = field("bytes", long.class);
    private static final VarHandle NANOS = field("nanos", long.class);
    private static final VarHandle BUS_BYTES = field("busBytes", double.class);

    private long operations;
    private long bytes;
    private long nanos;
    private double busBytes;

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Counters.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    void add(Call call, int ranks, long took) {
        long moved = Math.max(call.send().byteSize(), call.receive().byteSize());
        int ways = call.kind() == Call.Kind.ALL_REDUCE ? 2 : 1;
        // Plain additions: operations never overlap. Only the stores must be whole.
        OPERATIONS.setOpaque(this, operations + 1);
        BYTES.setOpaque(this, bytes + moved);
        NANOS.setOpaque(this, nanos + took);
        BUS_BYTES.setOpaque(this, busBytes + (double) moved * ways * (ranks - 1) / ranks);
    }

    CommunicatorStats stats(Strategy strategy, int pending, List<StrategyFigure> figures) {
        return new CommunicatorStats(
                (long) OPERATIONS.getOpaque(this),
                (long) BYTES.getOpaque(this),
                (long) NANOS.getOpaque(this),
                (double) BUS_BYTES.getOpaque(this),
                strategy,
                pending,
                figures);
    }
}
