/**
 * Runs the containers of pods as processes of this machine. What happens when is decided by pure
 * functions of state, event and time, one pod at a time; a thin shell around them starts, signals
 * and reaps processes. Every container is a process group of its own, so that it can be ended as a
 * whole, and none outlives the agent, however the agent ends.
 */
@NullMarked
package io.probelet.runtime.process;

import org.jspecify.annotations.NullMarked;
