/**
 * Arrays in native memory.
 */
@NullMarked
package uk.ac.manchester.tornado.api.types.arrays;

import org.jspecify.annotations.NullMarked;
