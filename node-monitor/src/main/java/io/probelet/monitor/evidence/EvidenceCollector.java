package io.probelet.monitor.evidence;

import java.io.IOException;

/** Collects one part of the evidence, on its own thread, which it may block forever. */
@FunctionalInterface
public interface EvidenceCollector {
  /**
   * Collects the part.
   *
   * @param out the output; what was written counts even if the collector is late
   * @throws IOException if it cannot be read; the message is for the user
   * @throws InterruptedException if the time has expired
   */
  void collect(EvidenceOutput out) throws IOException, InterruptedException;
}
