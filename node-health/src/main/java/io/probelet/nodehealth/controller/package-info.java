/**
 * Carries out in a real cluster what the planner decides. Everything that is known comes together
 * on one thread, which plans; requests run beside it and report back. There are no rules of
 * remediation here, and everything may crash at any moment: what matters is in the cluster.
 */
@NullMarked
package io.probelet.nodehealth.controller;

import org.jspecify.annotations.NullMarked;
