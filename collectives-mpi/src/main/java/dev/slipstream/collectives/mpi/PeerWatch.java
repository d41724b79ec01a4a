package dev.slipstream.collectives.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Watches the other ranks of this host. Open MPI 4 knows no way back for a job that has lost a rank, and says little: so this
 * process ends, and says which rank was lost.
 */
final class PeerWatch {
    private static final long INTERVAL_MILLIS = 500;

    /** The other ranks' processes, by rank. */
    private final Map<Integer, ProcessHandle> peers;

    private volatile boolean over;

    private PeerWatch(Map<Integer, ProcessHandle> peers) {
        this.peers = peers;
    }

    /** Starts to watch. Collective, on the MPI thread. */
    static PeerWatch start(MpiBinding.Comm world) {
        MpiBinding.Comm host = world.splitShared();
        int size = host.size();
        MemorySegment table = Arena.ofAuto().allocate(16L * size, 8);
        table.setAtIndex(
                ValueLayout.JAVA_LONG, 2L * host.rank(), ProcessHandle.current().pid());
        table.setAtIndex(ValueLayout.JAVA_LONG, 2L * host.rank() + 1, world.rank());
        host.allReduce(table, table, 2 * size, MpiBinding.Type.INT64, MpiBinding.Op.BOR);
        Map<Integer, ProcessHandle> peers = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            int rank = (int) table.getAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1);
            if (i != host.rank()) {
                // Not seen where each rank lives in a container of its own: then mpirun is the only one to watch.
                ProcessHandle.of(table.getAtIndex(ValueLayout.JAVA_LONG, 2L * i))
                        .ifPresent(process -> peers.put(rank, process));
            }
        }
        host.free();
        PeerWatch watch = new PeerWatch(peers);
        if (!peers.isEmpty()) {
            Thread.ofPlatform().daemon().name("slipstream-peer-watch").start(() -> watch.run(world.rank()));
        }
        return watch;
    }

    @SuppressWarnings("SystemExitOutsideMain") // there is no way on without the lost rank
    private void run(int self) {
        while (!over) {
            try {
                Thread.sleep(INTERVAL_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            Optional<String> lost = lost(self);
            if (lost.isPresent() && !over) {
                System.err.println(lost.get());
                Runtime.getRuntime().halt(1);
            }
        }
    }

    /** A sentence that names a rank whose process has gone. */
    Optional<String> lost(int self) {
        return peers.entrySet().stream()
                .filter(peer -> !peer.getValue().isAlive())
                .findFirst()
                .map(peer -> "slipstream: rank " + peer.getKey() + " (process "
                        + peer.getValue().pid() + " of this host) has died; without it rank " + self
                        + " can't go on and ends too.");
    }

    /** Processes now go because the job is over. */
    void stop() {
        over = true;
    }
}
