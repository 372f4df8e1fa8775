/**
 * Executes the planner's decisions in a real cluster. One thread collects all observations and
 * plans; requests run beside it and report back. This package contains no remediation rules. It may
 * crash at any time, because all relevant state is in the cluster.
 */
@NullMarked
package io.probelet.nodehealth.controller;

import org.jspecify.annotations.NullMarked;
