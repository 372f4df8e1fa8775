/**
 * RemediationPolicy: limits that hold for all remediations of a cluster together, whichever
 * NodeHealthCheck or remediator they are of. Its reader says what is wrong with one, its gate
 * answers whether a remediation may begin now, and if not, why. All values; nothing here asks an
 * API server or a clock.
 */
@NullMarked
package io.probelet.nodehealth.policy;

import org.jspecify.annotations.NullMarked;
