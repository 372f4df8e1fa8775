/**
 * Between the decision that a container must be stopped and its end: who may be stopped at all, the
 * guard that holds everything when too much fails at once, and the means to stop a container, by
 * the runtime or by the API server.
 */
@NullMarked
package io.probelet.agent.cluster.restart;

import org.jspecify.annotations.NullMarked;
