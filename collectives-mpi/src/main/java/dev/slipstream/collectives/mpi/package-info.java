/**
 * The {@code mpi} transport: ranks are processes started by {@code mpirun}. Inside a host they reduce through shared memory, between
 * hosts through MPI; {@link dev.slipstream.collectives.mpi.MpiTransport} is the entry.
 *
 * <p>From the wire up: {@link dev.slipstream.collectives.mpi.MpiBinding} is libmpi as Java sees it (two implementations),
 * {@link dev.slipstream.collectives.mpi.MpiProcess} the one MPI of this process. A communicator
 * ({@link dev.slipstream.collectives.mpi.MpiCommunicator}) holds three of MPI's: one for collectives and their algorithms, one
 * for the user's messages ({@link dev.slipstream.collectives.mpi.Messages}), and one on which the ranks tell each other what
 * is out of the ordinary ({@link dev.slipstream.collectives.mpi.ControlChannel}).
 */
@NullMarked
package dev.slipstream.collectives.mpi;

import org.jspecify.annotations.NullMarked;
