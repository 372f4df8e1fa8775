package io.probelet.health;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential back-off: the wait grows with each consecutive failure, up to a maximum. A random
 * part of each wait prevents simultaneous retries.
 *
 * <pre>
 *   failure     1          2          3         …      (initial 1 s, factor 2, max 60 s, jitter ½)
 *   wait    0.5–1 s      1–2 s      2–4 s       …  30–60 s
 * </pre>
 *
 * @param initial the wait after the first failure, above zero; limited to {@code max}
 * @param factor the growth factor of the waits, at least 1
 * @param max the longest wait, above zero
 * @param jitter the random share of each wait, from 0 to 1
 */
public record RetryBackoff(Duration initial, int factor, Duration max, double jitter) {
  /** This share of our own wait is added to a requested wait, to spread it too. */
  private static final int PART_OF_OWN = 10;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one is exceeded
   */
  public RetryBackoff {
    if (!initial.isPositive() || !max.isPositive() || factor < 1 || !(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException(
          ("a back-off needs waits above zero, a factor of at least 1 and a jitter from 0 to 1:"
                  + " initial %s, factor %d, max %s, jitter %s")
              .formatted(initial, factor, max, jitter));
    }
    initial = shorter(initial, max);
  }

  /**
   * {@return a doubling back-off without jitter}
   *
   * @param initial the wait after the first failure, above zero
   * @param max the longest wait, above zero
   */
  public static RetryBackoff doubling(Duration initial, Duration max) {
    return new RetryBackoff(initial, 2, max, 0);
  }

  /**
   * {@return the wait}
   *
   * @param failures the number of consecutive failures including this one, at least 1
   * @param random draws the random part
   * @throws IllegalArgumentException if there were no failures
   */
  public Duration delay(int failures, RandomGenerator random) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures must be at least 1, not " + failures);
    }
    Duration wait = initial;
    for (int i = 1; i < failures && wait.compareTo(max) < 0 && factor > 1; i++) {
      wait = after(wait);
    }
    long spread = (long) (wait.toNanos() * jitter);
    return spread == 0 ? wait : wait.minusNanos(spread).plusNanos(random.nextLong(spread));
  }

  /**
   * {@return the wait if a server requested a certain time: that and a little, or the own wait if
   * it is longer}
   *
   * @param failures the number of consecutive failures including this one, at least 1
   * @param random draws the random part
   * @param asked the requested time, zero or less for none; limited to {@link #max()}
   */
  public Duration delay(int failures, RandomGenerator random, Duration asked) {
    Duration own = delay(failures, random);
    Duration bounded = shorter(asked, max);
    return bounded.compareTo(own) > 0 ? bounded.plus(own.dividedBy(PART_OF_OWN)) : own;
  }

  /**
   * {@return the next wait, without jitter}
   *
   * @param previous the previous wait; zero if there was none
   */
  public Duration after(Duration previous) {
    if (previous.isZero()) {
      return initial;
    }
    // A wait at the maximum is not multiplied, which might overflow.
    return previous.compareTo(max) >= 0 ? max : shorter(previous.multipliedBy(factor), max);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
