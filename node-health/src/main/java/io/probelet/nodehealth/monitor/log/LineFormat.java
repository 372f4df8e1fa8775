package io.probelet.nodehealth.monitor.log;

import java.time.Instant;
import java.util.Optional;

/** Finds time and message in a line. */
@FunctionalInterface
public interface LineFormat {
  /** The line is the message. */
  LineFormat PLAIN = (line, readAt) -> Optional.of(new LogEntry(readAt, line));

  /**
   * Reads a line.
   *
   * @param line the line without its end
   * @param at when it was logged, as far as its source knows, else when it was read
   * @return what it holds; empty if it is no entry of this log
   */
  Optional<LogEntry> read(String line, Instant at);

  /**
   * What a line holds.
   *
   * @param at when it was logged
   * @param message what was logged
   */
  record LogEntry(Instant at, String message) {}
}
