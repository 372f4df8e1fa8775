package io.probelet.probe.grpc;

import java.time.Duration;
import java.util.Optional;

/** When a connection that failed is tried again within a timeout: after delays as grpc-go's. */
final class Retries {
  /** Each delay is 1.6 times as long as the one before. */
  private static final int GROWTH_PERCENT = 160;

  private final Duration timeout;
  private Duration delay;

  Retries(Duration timeout, Duration firstDelay) {
    this.timeout = timeout;
    delay = firstDelay;
  }

  Duration timeout() {
    return timeout;
  }

  /** {@return how long to wait now; empty if the time would be up by then} */
  Optional<Duration> next(Duration elapsed) {
    Duration now = delay;
    if (elapsed.plus(now).compareTo(timeout) >= 0) {
      return Optional.empty();
    }
    delay = now.multipliedBy(GROWTH_PERCENT).dividedBy(100);
    return Optional.of(now);
  }
}
