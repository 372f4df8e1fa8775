package io.probelet.fleet.terminal;

import io.probelet.health.TimeSource;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The progress of long work, as one line that is updated in place and erased at the end. Nothing is
 * written to a file or a pipe.
 *
 * <p>Not safe for use by several threads.
 */
public final class Progress implements AutoCloseable {
  private static final long INTERVAL_NANOS = Duration.ofMillis(250).toNanos();
  private static final int MAX_LENGTH = 200;

  /** Turns line wrapping off: a wrapped line cannot be erased. */
  private static final String BEGIN = "\r\u001b[?7l";

  private static final String END = "\u001b[K\u001b[?7h";

  private final PrintWriter err;
  private final boolean shown;
  private final TimeSource time;
  private boolean written;
  private long last;

  /**
   * Creates one that has shown nothing.
   *
   * @param shown whether {@code err} is a terminal
   */
  Progress(PrintWriter err, boolean shown, TimeSource time) {
    this.err = err;
    this.shown = shown;
    this.time = time;
  }

  /**
   * {@return progress on standard error}
   *
   * @param err standard error
   * @param environment of the process; with TERM dumb or missing nothing is shown
   */
  public static Progress standardError(
      PrintWriter err, Map<String, String> environment, TimeSource time) {
    boolean able = !environment.getOrDefault("TERM", "dumb").equals("dumb");
    return new Progress(err, able && Terminal.isErrorInteractive(), time);
  }

  /**
   * Shows the progress, at most every quarter of a second.
   *
   * @param line called only if it is shown
   */
  public void show(Supplier<String> line) {
    if (!shown) {
      return;
    }
    long now = time.nanoTime();
    if (written && now - last < INTERVAL_NANOS) {
      return;
    }
    written = true;
    last = now;
    err.print(BEGIN + Terminal.line(line.get(), MAX_LENGTH) + END);
    err.flush();
  }

  /** Erases the line. */
  @Override
  public void close() {
    if (written) {
      written = false;
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
