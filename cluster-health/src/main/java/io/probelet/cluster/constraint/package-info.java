/**
 * Constraints: whether an operation on the cluster is currently safe (section 5). Each is a pure
 * function of the objects it reads, and becomes a condition in a separate list. Constraints have no
 * thresholds. One that could not be checked is Unknown.
 */
@NullMarked
package io.probelet.cluster.constraint;

import org.jspecify.annotations.NullMarked;
