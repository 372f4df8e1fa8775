package io.probelet.monitor.source;

import java.io.IOException;
import java.time.Instant;

/** A log, read by one thread at a time. */
public interface LineSource extends AutoCloseable {
  /**
   * Reads until the source is closed or fails. After a failure it may be called again and continues
   * at its position.
   *
   * @param sink receives the lines, on the calling thread
   * @throws IOException if the log cannot be read; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  void run(Sink sink) throws IOException, InterruptedException;

  /** {@return the position after the lines passed on; empty if there is none} */
  String position();

  /** Ends {@link #run}. */
  @Override
  void close();

  /** Receives the lines of a source. */
  interface Sink {
    /**
     * Takes a line.
     *
     * @param text without its end
     * @param at when it was logged if the source knows, else now
     */
    void line(String text, Instant at);

    /**
     * Takes a line of the kernel's log that is not a whole record of the kernel itself: a
     * program wrote it to {@code /dev/kmsg}, or it is a fragment of a record whose start is
     * unknown.
     *
     * @param text without its end
     * @param at when it was logged if the source knows, else now
     */
    void foreignLine(String text, Instant at);

    /** All existing lines have been read; those that follow are new. */
    void upToDate();

    /**
     * Lines were lost.
     *
     * @param lines their number if known, else 1
     */
    void gap(long lines, String why);
  }
}
