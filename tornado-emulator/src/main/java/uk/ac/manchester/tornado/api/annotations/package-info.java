/**
 * Annotations on loops.
 */
@NullMarked
package uk.ac.manchester.tornado.api.annotations;

import org.jspecify.annotations.NullMarked;
