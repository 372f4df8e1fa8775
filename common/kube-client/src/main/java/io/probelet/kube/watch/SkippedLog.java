package io.probelet.kube.watch;

import io.probelet.health.LineLimit;
import io.probelet.health.TimeSource;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names the objects of a kind that are skipped. Their authors decide how often that happens: 20
 * lines at once, then one a minute; what was held back is counted in the next line.
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
            LOG.warn(
                "object skipped kind={} skipped=\"{}\" further-skipped={}", kind, what, heldBack));
  }
}
