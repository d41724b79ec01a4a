/**
 * Collectives between the processes of one host over a memory-mapped file, each rank reducing straight out of the others'
 * memory: {@link dev.slipstream.collectives.shared.SharedGroup} is the entry. Knows nothing of MPI: who opens a group sees to it
 * that all ranks open the same file.
 */
@NullMarked
package dev.slipstream.collectives.shared;

import org.jspecify.annotations.NullMarked;
