package io.probelet.monitor.journal;

import java.time.Instant;

/** Receives the entries of a journal. */
public interface JournalTaker {
  /**
   * Takes an entry.
   *
   * @param message possibly truncated; empty if it has none
   * @param cursor the position after it; empty if unknown
   */
  void entry(String message, Instant at, String cursor);

  /** Something could not be read. */
  void gap(String why);
}
