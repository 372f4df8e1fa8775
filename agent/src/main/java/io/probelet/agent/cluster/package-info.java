/**
 * The agent in a cluster, one per node: the parts of {@code probelet agent}. The probe service
 * works with the pods of the node, the container runtime and the API server. Other tasks of the
 * agent are added as an {@link io.probelet.web.part.Part}.
 */
@NullMarked
package io.probelet.agent.cluster;

import org.jspecify.annotations.NullMarked;
