/**
 * The agent in a cluster, one per node: what {@code probelet agent} puts together and keeps going.
 * Around the probe service stand the pods of the node, the container runtime and the API server;
 * whatever else an agent does joins in as an {@link io.probelet.web.part.Part}.
 */
@NullMarked
package io.probelet.agent.cluster;

import org.jspecify.annotations.NullMarked;
