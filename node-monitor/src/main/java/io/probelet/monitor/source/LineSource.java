package io.probelet.monitor.source;

import java.io.IOException;
import java.time.Instant;

/** A log being read, by one thread at a time. */
public interface LineSource extends AutoCloseable {
  /**
   * Reads until the source is closed or fails. May be called again after a failure, and then goes
   * on where it was.
   *
   * @param sink takes the lines, on the calling thread
   * @throws IOException if the log cannot be read; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  void run(Sink sink) throws IOException, InterruptedException;

  /** {@return up to where the lines have been handed over; empty if there is nothing to go by} */
  String position();

  /** Ends {@link #run}. */
  @Override
  void close();

  /** Takes what a source reads. */
  interface Sink {
    /**
     * Takes a line.
     *
     * @param text without its end
     * @param at when it was logged, as far as the source knows, else now
     */
    void line(String text, Instant at);

    /**
     * Takes a line of the kernel's log that is no whole record of the kernel itself: a
     * program wrote it to {@code /dev/kmsg}, or it is a part of a record whose start is not known.
     *
     * @param text without its end
     * @param at when it was logged, as far as the source knows, else now
     */
    void foreignLine(String text, Instant at);

    /** Everything that was there has been read; what follows is new. */
    void upToDate();

    /**
     * Lines were lost.
     *
     * @param lines how many, as far as that is known, else 1
     */
    void gap(long lines, String why);
  }
}
