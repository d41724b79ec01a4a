/**
 * Devices, and the shapes of tasks.
 */
@NullMarked
package uk.ac.manchester.tornado.api.common;

import org.jspecify.annotations.NullMarked;
