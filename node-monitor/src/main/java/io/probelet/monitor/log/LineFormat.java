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
   * @param at when it was logged, as far as its source knows, else when it was read
   */
  ReadLine read(String line, Instant at);

  /** What came of reading a line. */
  sealed interface ReadLine {
    /** What a line holds. */
    record LogEntry(Instant at, String message) implements ReadLine {}

    /** The line has no time, or one that is not written as its file says it would be. */
    record NoTime(String why) implements ReadLine {}

    /** The line has none of the messages its file asks for. */
    record NoMessage() implements ReadLine {}
  }
}
