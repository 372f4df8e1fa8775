/**
 * Plays time for the remediation planner without a cluster. A virtual cluster keeps what an API
 * server would keep and refuses what it would refuse; a virtual controller plans and carries out as
 * the real one does. Time stands still unless it is moved.
 */
@NullMarked
package io.probelet.nodehealth.simulation;

import org.jspecify.annotations.NullMarked;
