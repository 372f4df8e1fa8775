package io.probelet.monitor.journal;

import java.time.Instant;

/** Takes what is read of a journal. */
public interface JournalTaker {
  /**
   * Takes an entry.
   *
   * @param message as far as it is read; empty if it has none
   * @param cursor where to go on behind it; empty if that is unknown
   */
  void entry(String message, Instant at, String cursor);

  /** Something could not be read. */
  void gap(String why);
}
