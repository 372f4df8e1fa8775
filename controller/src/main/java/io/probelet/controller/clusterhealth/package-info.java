/**
 * The health of the cluster's own parts as a part of the controller: the one that leads does what
 * the {@code ClusterHealth} asks for. How that is done is {@link
 * io.probelet.cluster.care.ClusterCare}'s; here are the election and the metrics.
 */
@NullMarked
package io.probelet.controller.clusterhealth;

import org.jspecify.annotations.NullMarked;
