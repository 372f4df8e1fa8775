package io.probelet.health;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before what failed is tried again: longer with each failure in a row, up to a
 * maximum. A random part of each wait keeps many that failed together from coming back together.
 *
 * <pre>
 *   failure     1          2          3         …      (initial 1 s, factor 2, max 60 s, jitter ½)
 *   wait    0.5–1 s      1–2 s      2–4 s       …  30–60 s
 * </pre>
 *
 * @param initial the wait after the first failure, above zero; one above {@code max} counts as that
 * @param factor how many times as long each wait is as the one before, at least 1
 * @param max the longest wait, above zero
 * @param jitter the part of each wait that is random, from 0 for none of it to 1 for all of it
 */
public record RetryBackoff(Duration initial, int factor, Duration max, double jitter) {
  /** Of a wait that somebody else asked for, this part of our own is added, to spread it too. */
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
   * {@return one that doubles, without anything random}
   *
   * @param initial the wait after the first failure, above zero
   * @param max the longest wait, above zero
   */
  public static RetryBackoff doubling(Duration initial, Duration max) {
    return new RetryBackoff(initial, 2, max, 0);
  }

  /**
   * {@return how long to wait}
   *
   * @param failures how many there have been in a row, this one included, at least 1
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
   * {@return how long to wait where somebody, as a server in trouble, asked for a certain time:
   * that and a little, or the own wait if it is longer}
   *
   * @param failures how many there have been in a row, this one included, at least 1
   * @param random draws the random part
   * @param asked the time asked for, zero or less for none; one above {@link #max()} counts as that
   */
  public Duration delay(int failures, RandomGenerator random, Duration asked) {
    Duration own = delay(failures, random);
    Duration bounded = shorter(asked, max);
    return bounded.compareTo(own) > 0 ? bounded.plus(own.dividedBy(PART_OF_OWN)) : own;
  }

  /**
   * {@return the wait that follows another, without anything random}
   *
   * @param previous the wait before; zero if there was none
   */
  public Duration after(Duration previous) {
    if (previous.isZero()) {
      return initial;
    }
    // Of what is as long already nothing is multiplied, which might be too much for a duration.
    return previous.compareTo(max) >= 0 ? max : shorter(previous.multipliedBy(factor), max);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
