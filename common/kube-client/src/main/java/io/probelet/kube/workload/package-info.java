/**
 * Limits how many pods of a workload restart at once in a cluster. Each workload has a Lease in
 * which each agent lists the restarting pods of its node, and by which all agents decide. The
 * leading controller adds the number of replicas, and removes orphaned entries.
 */
@NullMarked
package io.probelet.kube.workload;

import org.jspecify.annotations.NullMarked;
