/**
 * Rehearsals: plays a recorded tape of a cluster through the planner, for the NodeHealthChecks in
 * force and for candidates, and counts what each would have done. Node states come from the tape; a
 * candidate's actions do not change them.
 */
@NullMarked
package io.probelet.nodehealth.rehearsal;

import org.jspecify.annotations.NullMarked;
