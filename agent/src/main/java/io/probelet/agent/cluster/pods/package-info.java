/**
 * The pods of one node: the API server's view, kept up to date by one watch that reconnects, joined
 * with the container runtime's view. Only the fields that probing needs are kept. While the API
 * server is unreachable, the known pods stay unchanged.
 */
@NullMarked
package io.probelet.agent.cluster.pods;

import org.jspecify.annotations.NullMarked;
