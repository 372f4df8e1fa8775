package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides which lines of a log are too old to count. The time of a line decides only if it
 * was there when reading began. Lines read live are of now, whatever time they carry: the kernel's
 * stamps fall behind when the machine is suspended, and those of every log when the clock is set.
 * For these only the delay after the boot counts.
 */
final class LineAge {
  private final Instant notBefore;
  private final TimeSource time;
  private final long delayEnd;
  private volatile boolean live;

  /**
   * Creates one for a log that is about to be read.
   *
   * @param notBefore what was logged before is too old
   * @param delay how long from now on no line counts; zero or less for no delay
   * @param time the clocks to go by
   */
  LineAge(Instant notBefore, Duration delay, TimeSource time) {
    this.notBefore = notBefore;
    this.time = time;
    delayEnd = time.nanoTime() + Math.max(0, delay.toNanos());
  }

  /** Everything that was there has been read; this stays so when reading begins again. */
  void readLive() {
    live = true;
  }

  /** {@return whether a line counts that was logged then, by its own time} */
  boolean counts(Instant logged) {
    return live ? time.nanoTime() - delayEnd >= 0 : !logged.isBefore(notBefore);
  }
}
