/**
 * Constraints: statements that some operation on the cluster is, or is not, safe right now (section
 * 5). Each is a pure function of the objects it reads, and becomes a condition in a list of its
 * own. They have no thresholds; one that nobody could check is Unknown.
 */
@NullMarked
package io.probelet.cluster.constraint;

import org.jspecify.annotations.NullMarked;
