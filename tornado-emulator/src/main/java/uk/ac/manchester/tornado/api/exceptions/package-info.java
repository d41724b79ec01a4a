/**
 * What TornadoVM throws.
 */
@NullMarked
package uk.ac.manchester.tornado.api.exceptions;

import org.jspecify.annotations.NullMarked;
