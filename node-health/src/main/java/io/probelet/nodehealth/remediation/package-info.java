/**
 * Decides what becomes of unhealthy nodes: which remediation resources to create, to give up and to
 * delete, and why a node has to wait. The planner is a pure function of what is observed, so that a
 * crash between any two writes costs nothing: the next pass sees what was written and goes on.
 * Nothing here reads a clock or talks to an API.
 */
@NullMarked
package io.probelet.nodehealth.remediation;

import org.jspecify.annotations.NullMarked;
