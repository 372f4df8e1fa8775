/**
 * Proposes settings of probes from what probes have seen: pure functions from merged statistics to
 * proposals, and the reader that merges the statistics of pods over nodes by workload.
 */
@NullMarked
package io.probelet.fleet.advise;

import org.jspecify.annotations.NullMarked;
