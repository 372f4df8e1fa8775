package io.probelet.monitor.node;

import io.probelet.monitor.track.Evidence;

/** Takes evidence from any thread. Blocks while more is waiting than can be taken. */
@FunctionalInterface
interface EvidenceSink {
  void observe(String ruleId, Evidence evidence);
}
