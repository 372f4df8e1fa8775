package io.probelet.agent.diagnose;

import java.io.IOException;

/** A query of each collection. */
@FunctionalInterface
public interface EvidenceQuery<T> {
  /**
   * Asks. May block.
   *
   * @throws IOException if there is none; the message is for the user
   * @throws InterruptedException if the time is up
   */
  T get() throws IOException, InterruptedException;
}
