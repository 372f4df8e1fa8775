/**
 * Workloads as evidence about a node: workloads of trusted namespaces that fail on one node and
 * work on others. Everything here is a pure function of what was seen and of monotonic time.
 */
@NullMarked
package io.probelet.nodehealth.workloads;

import org.jspecify.annotations.NullMarked;
