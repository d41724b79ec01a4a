/** What a machine has for Slipstream; {@link dev.slipstream.bench.doctor.Doctor} is the entry. */
@NullMarked
package dev.slipstream.bench.doctor;

import org.jspecify.annotations.NullMarked;
