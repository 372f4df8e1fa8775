/**
 * Decides about unhealthy nodes: which remediations to create, to time out and to delete, and why a
 * node is held back. The planner is a pure function of what is observed, so that a crash between
 * any two writes costs nothing: the next pass sees what was written and goes on. Nothing here reads
 * a clock or talks to an API.
 */
@NullMarked
package io.probelet.nodehealth.remediation;

import org.jspecify.annotations.NullMarked;
