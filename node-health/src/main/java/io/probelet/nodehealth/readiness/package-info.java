/**
 * Node admission as in kubernetes-sigs/node-readiness-controller: which taints a node keeps until
 * its conditions are there. Reads NodeReadinessRules, decides about one node at a time, and sums up
 * a rule's nodes for its status. Nothing here sends requests or reads a clock.
 */
@NullMarked
package io.probelet.nodehealth.readiness;

import org.jspecify.annotations.NullMarked;
