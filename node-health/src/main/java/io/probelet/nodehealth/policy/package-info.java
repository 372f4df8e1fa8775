/**
 * RemediationPolicy: limits for all remediations of a cluster together, across NodeHealthChecks and
 * remediators. Its reader reports errors; its gate decides whether a remediation may start now, and
 * if not, why. Everything is a value: this package uses neither an API server nor a clock.
 */
@NullMarked
package io.probelet.nodehealth.policy;

import org.jspecify.annotations.NullMarked;
