package io.probelet.kube.access;

import io.probelet.health.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When the API server last responded, to any sender. A 5xx response does not count: a load balancer
 * sends it too when no API server is available. Thread-safe.
 */
public final class ApiAnswers {
  private static final int SERVER_ERROR = 500;

  private final TimeSource time;
  private volatile boolean up;
  private volatile long answeredAt;

  /**
   * Creates an instance without a response.
   *
   * @param time in which it measures
   */
  public ApiAnswers(TimeSource time) {
    this.time = time;
    answeredAt = time.nanoTime();
  }

  /**
   * Records a response.
   *
   * @param status of the request; null if there was no response
   */
  public void took(@Nullable Integer status) {
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

  /** {@return the time since the last response; before the first, since this was created} */
  public Duration sinceAnswer() {
    return Duration.ofNanos(Math.max(0, time.nanoTime() - answeredAt));
  }
}
