/**
 * Node remediation as a part of the controller: the leader and its metrics, what it answers, and
 * the webhook for NodeHealthChecks, which does not take a leader.
 */
@NullMarked
package io.probelet.controller.remediation;

import org.jspecify.annotations.NullMarked;
