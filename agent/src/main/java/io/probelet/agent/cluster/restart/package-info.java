/**
 * The steps between a restart decision and the stop: which containers may be stopped, the guards
 * that put restarts on hold when too many fail at once, and the stop itself, by the runtime or the
 * API server.
 */
@NullMarked
package io.probelet.agent.cluster.restart;

import org.jspecify.annotations.NullMarked;
