/**
 * How many pods of a workload restart at once in a whole cluster: a Lease for each workload in
 * which each agent lists the pods of its own node, and by which all of them decide. The leader of
 * the controllers adds how many replicas there are, and takes out what nobody takes out any more.
 */
@NullMarked
package io.probelet.kube.workload;

import org.jspecify.annotations.NullMarked;
