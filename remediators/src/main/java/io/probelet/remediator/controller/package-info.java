/**
 * Carries out what is decided: takes part in the leader election, watches the remediations, and
 * goes on with each of them, one at a time for a node. There are no rules here, and everything may
 * crash at any moment: what matters is in the cluster.
 */
@NullMarked
package io.probelet.remediator.controller;

import org.jspecify.annotations.NullMarked;
