/**
 * Runs the remediation planner in virtual time without a cluster. A virtual cluster stores what an
 * API server stores and rejects what it rejects. A virtual controller plans and executes like the
 * real one. Time advances only on request.
 */
@NullMarked
package io.probelet.nodehealth.simulation;

import org.jspecify.annotations.NullMarked;
