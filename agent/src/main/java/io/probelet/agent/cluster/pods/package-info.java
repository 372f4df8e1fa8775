/**
 * The pods of one node: what the API server says of them, kept up to date by one watch that comes
 * back after whatever ends it, joined with what the container runtime sees. Of each pod only what
 * probing needs is kept. While the API server is away, the pods known stay as they are.
 */
@NullMarked
package io.probelet.agent.cluster.pods;

import org.jspecify.annotations.NullMarked;
