package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits in a benchmark, where real time is intended. */
final class Waiting {
  private static final int TIMEOUT_SECONDS = 30;

  private Waiting() {}

  /** Waits in real time. */
  static void forSeconds(int seconds) {
    pause(TimeUnit.SECONDS.toMillis(seconds));
  }

  /** Waits in real time. */
  static void forMillis(long millis) {
    pause(millis);
  }

  /** Waits in real time until a moment of the monotonic clock. */
  static void until(long nanos) {
    pause(TimeUnit.NANOSECONDS.toMillis(nanos - SystemClock.INSTANCE.nanoTime()));
  }

  /** Waits for a condition; a condition that throws counts as false. */
  static void until(String what, Callable<Boolean> condition) {
    untilWithin(TIMEOUT_SECONDS, what, condition);
  }

  /** Waits for a condition, for at most this number of seconds. */
  static void untilWithin(int seconds, String what, Callable<Boolean> condition) {
    long deadline = SystemClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      try {
        if (condition.call()) {
          return;
        }
      } catch (Exception notYet) {
        // asked again below
      }
      if (SystemClock.INSTANCE.nanoTime() - deadline > 0) {
        throw new IllegalStateException("waited " + seconds + " s until " + what);
      }
      pause(20);
    }
  }

  private static void pause(long millis) {
    try {
      boolean _ = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", interrupted);
    }
  }
}
