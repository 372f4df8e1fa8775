/**
 * Tapes: what happened to the nodes of a cluster, to its NodeHealthChecks and to their
 * remediations, one line of JSON for each change. A tape is read line by line and never held as a
 * whole; whoever wrote it is a stranger, so everything in it has a bound.
 */
@NullMarked
package io.probelet.nodehealth.tape;

import org.jspecify.annotations.NullMarked;
