package io.probelet.monitor.evidence;

import java.io.IOException;

/** Reads one part of the evidence, on a thread of its own that it may hold for ever. */
@FunctionalInterface
public interface EvidenceCollector {
  /**
   * Writes down what there is.
   *
   * @param out takes it; what has been written counts even if nothing more comes in time
   * @throws IOException if it cannot be read; the message is for the user
   * @throws InterruptedException if the time is up
   */
  void collect(EvidenceOutput out) throws IOException, InterruptedException;
}
