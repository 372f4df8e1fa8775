/**
 * Judges nodes by their workloads for one term of leadership, on the frame of all controllers. One
 * thread collects what is seen of pods and nodes; requests run beside it. The package contains no
 * rules about workloads, and keeps nothing that is not in the cluster.
 */
@NullMarked
package io.probelet.nodehealth.workloads.controller;

import org.jspecify.annotations.NullMarked;
