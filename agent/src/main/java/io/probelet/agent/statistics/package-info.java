/** Keeps the statistics of probes over a restart of the agent. */
@NullMarked
package io.probelet.agent.statistics;

import org.jspecify.annotations.NullMarked;
