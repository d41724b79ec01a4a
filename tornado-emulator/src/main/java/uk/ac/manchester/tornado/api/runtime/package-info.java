/**
 * The way to the runtime and its devices.
 */
@NullMarked
package uk.ac.manchester.tornado.api.runtime;

import org.jspecify.annotations.NullMarked;
