/**
 * Runs the containers of pods as processes of this machine. Pure functions of state, event and time
 * decide, one pod at a time. A thin shell around them starts, signals and reaps processes. Every
 * container is its own process group, so that it can be ended as a whole. No container outlives the
 * agent, however the agent ends.
 */
@NullMarked
package io.probelet.runtime.process;

import org.jspecify.annotations.NullMarked;
