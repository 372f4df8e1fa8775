package io.probelet.web.http;

import io.probelet.health.LineLimit;
import io.probelet.health.TimeSource;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failed answers. Clients can cause any number of them, so there are 10 lines at once, then
 * one in 10 s (L-1). The rest is counted and logged with the next line. Thread-safe.
 */
final class RequestLog {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);
  static final int BURST = 10;
  private static final Duration REFILL = Duration.ofSeconds(10);

  private final TimeSource time;
  private final LineLimit lines;

  RequestLog(TimeSource time) {
    this.time = time;
    lines = new LineLimit(BURST, REFILL, time.nanoTime());
  }

  /**
   * An answer failed.
   *
   * @param what happened, in our own words
   * @param path that was asked for, on one line
   * @param why what went wrong
   */
  synchronized void failed(String what, String path, String why) {
    lines
        .allow(time.nanoTime())
        .ifPresent(leftOut ->
            LOG.warn("{} path=\"{}\" reason=\"{}\" suppressed={}", what, path, why, leftOut));
  }
}
