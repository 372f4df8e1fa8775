package io.probelet.kube.watch;

import io.probelet.health.LineLimit;
import io.probelet.health.TimeSource;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs skipped objects of a kind. Their authors determine how often that happens, so lines are
 * limited: 20 at once, then one a minute. The next line counts those left out.
 */
final class SkippedLog {
  private static final Logger LOG = LoggerFactory.getLogger(SkippedLog.class);
  private static final int BURST = 20;
  private static final Duration REFILL = Duration.ofMinutes(1);

  private final String kind;
  private final TimeSource time;
  private final LineLimit lines;

  SkippedLog(String kind, TimeSource time) {
    this.kind = kind;
    this.time = time;
    lines = new LineLimit(BURST, REFILL, time.nanoTime());
  }

  void log(String what) {
    lines
        .allow(time.nanoTime())
        .ifPresent(heldBack ->
            LOG.warn("object skipped kind={} skipped=\"{}\" suppressed={}", kind, what, heldBack));
  }
}
