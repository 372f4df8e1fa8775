package io.probelet.kube.access;

import io.probelet.health.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When the API server answered, whoever asked. An answer of 5xx counts as none: a balancer gives it
 * as well when there is no API server behind it. Safe for use by several threads.
 */
public final class ApiAnswers {
  private static final int SERVER_ERROR = 500;

  private final TimeSource time;
  private volatile boolean up;
  private volatile long answeredAt;

  /** Creates it; there was no answer yet. */
  ApiAnswers(TimeSource time) {
    this.time = time;
    answeredAt = time.nanoTime();
  }

  /** Notes what came of a request: its status, or null if there was no answer. */
  void took(@Nullable Integer status) {
    boolean answered = status != null && status < SERVER_ERROR;
    if (answered) {
      answeredAt = time.nanoTime();
    }
    up = answered;
  }

  /** {@return whether the last request was answered; false before the first} */
  public boolean isUp() {
    return up;
  }

  /** {@return how long ago the last answer was; at first, how long ago this was created} */
  public Duration sinceAnswer() {
    return Duration.ofNanos(Math.max(0, time.nanoTime() - answeredAt));
  }
}
