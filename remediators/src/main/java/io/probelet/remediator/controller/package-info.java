/**
 * Carries out decisions: takes part in leader election, watches remediations, and reconciles them,
 * one at a time for each node. This package contains no rules. The process may crash at any time;
 * all state is in the cluster.
 */
@NullMarked
package io.probelet.remediator.controller;

import org.jspecify.annotations.NullMarked;
