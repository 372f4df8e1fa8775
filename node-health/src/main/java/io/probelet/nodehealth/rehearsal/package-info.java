/**
 * Rehearsals: plays a tape of what happened to a cluster through the planner, for the
 * NodeHealthChecks that were in force and for candidates, and counts what each would have done. The
 * tape is the truth about the nodes; what a candidate does changes nothing on it.
 */
@NullMarked
package io.probelet.nodehealth.rehearsal;

import org.jspecify.annotations.NullMarked;
