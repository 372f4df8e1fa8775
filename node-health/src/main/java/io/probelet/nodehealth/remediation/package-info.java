/**
 * Makes decisions about unhealthy nodes: which remediations to create, to time out and to delete,
 * and why a node is held back. The planner is a pure function of observations, so a crash between
 * any two writes does no harm: the next pass sees the writes and continues. This package uses
 * neither a clock nor an API.
 */
@NullMarked
package io.probelet.nodehealth.remediation;

import org.jspecify.annotations.NullMarked;
