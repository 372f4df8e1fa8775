package io.probelet.monitor.log;

import java.time.Instant;

/** Finds time and message in a line. */
@FunctionalInterface
public interface LineFormat {
  /** The line is the message. */
  LineFormat PLAIN = (line, readAt) -> new ReadLine.LogEntry(readAt, line);

  /**
   * Reads a line.
   *
   * @param line the line without its end
   * @param at when it was logged if its source knows, else when it was read
   */
  ReadLine read(String line, Instant at);

  /** The result of parsing a line. */
  sealed interface ReadLine {
    /** Time and message of a line. */
    record LogEntry(Instant at, String message) implements ReadLine {}

    /** The line has no time, or one in another format than configured. */
    record NoTime(String why) implements ReadLine {}

    /** The line does not match the configured message expression. */
    record NoMessage() implements ReadLine {}
  }
}
