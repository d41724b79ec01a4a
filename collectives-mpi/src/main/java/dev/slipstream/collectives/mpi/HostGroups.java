package dev.slipstream.collectives.mpi;

import dev.slipstream.collectives.shared.Patience;
import dev.slipstream.collectives.shared.SharedGroup;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The groups of ranks that share memory: each host's ranks, or as many of them as {@code localGroupSize} says, in rank order.
 *
 * @param memory this rank's group's; on all ranks, or none
 * @param leaders MPI's communicator of the groups' first ranks; null on the others
 * @param whole whether one group holds all ranks
 */
record HostGroups(HostMemory memory, MpiBinding.@Nullable Comm leaders, boolean whole) {
    /** Collective, on the MPI thread. */
    static HostGroups form(MpiBinding.Comm comm, int localGroupSize, Patience patience, int spins) {
        MpiBinding.Comm host = comm.splitShared();
        int size = localGroupSize == 0 ? host.size() : Math.min(localGroupSize, host.size());
        boolean whole = HostMemory.allTrue(comm, size == comm.size());
        MpiBinding.Comm group = host.split(host.rank() / size, host.rank());
        HostMemory memory = HostMemory.open(group, patience, spins);
        boolean everywhere = HostMemory.allTrue(comm, memory.group().isPresent());
        MpiBinding.Comm leaders = comm.split(group.rank() == 0 ? 0 : 1, comm.rank());
        boolean leads = group.rank() == 0;
        group.free();
        host.free();
        if (!everywhere) {
            memory.group().ifPresent(SharedGroup::close);
            memory = HostMemory.none(memory.reason().isEmpty() ? "another host has no shared memory" : memory.reason());
        }
        if (!leads || whole) {
            leaders.free();
        }
        return new HostGroups(memory, leads && !whole ? leaders : null, whole);
    }

    /** The group that holds all ranks, if there is one and they can share memory. */
    Optional<SharedGroup> ofAll() {
        return whole ? memory.group() : Optional.empty();
    }

    /** Why not all ranks share memory, as the end of a sentence that starts with 'because'. */
    String reason() {
        return whole ? memory.reason() : "the ranks are on several hosts, or localGroupSize keeps them apart";
    }
}
