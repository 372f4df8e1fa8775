/**
 * Carries out NodeReadinessRules for one term of leadership, on the frame of all controllers. One
 * thread collects what is known of rules and nodes; requests run beside it. The package contains no
 * rules about taints, and keeps nothing that is not in the cluster.
 */
@NullMarked
package io.probelet.nodehealth.readiness.controller;

import org.jspecify.annotations.NullMarked;
