/**
 * Functions for kernels.
 */
@NullMarked
package uk.ac.manchester.tornado.api.math;

import org.jspecify.annotations.NullMarked;
