/**
 * Figures of an execution.
 */
@NullMarked
package uk.ac.manchester.tornado.api.profiler;

import org.jspecify.annotations.NullMarked;
