/**
 * The whole cluster as an operator may see it, read with the operator's own rights: nodes, what is
 * wrong with them, what is being done, what waits and why. What could not be read is named, and
 * never counts as well. Nothing is written.
 */
@NullMarked
package io.probelet.fleet;

import org.jspecify.annotations.NullMarked;
