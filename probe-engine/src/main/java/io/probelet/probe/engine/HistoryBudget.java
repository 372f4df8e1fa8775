package io.probelet.probe.engine;

import java.util.concurrent.TimeUnit;

/**
 * The memory that the {@link MinuteHistory} of all probes of one loop may take. Each gets an equal
 * share: the more probes there are, the more minutes one bucket covers. No allocation is made
 * without asking here, so the limit also holds while shares change. Lives on one loop.
 */
final class HistoryBudget {
  /** What all probes of a node may take together, in bytes. */
  static final long NODE_BYTES = 5L << 20;

  /** A bucket never covers more minutes. */
  static final int MAX_WIDTH = 64;

  private static final long NANOS_PER_MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final long limit;
  private final long origin;
  private long used;
  private int histories;
  private int width = 1;

  /**
   * Creates a budget that nothing has been taken of.
   *
   * @param limit in bytes
   * @param origin where minutes are counted from, by the monotonic clock
   */
  HistoryBudget(long limit, long origin) {
    this.limit = limit;
    this.origin = origin;
  }

  /** {@return how many minutes after the origin a time by the monotonic clock is} */
  long minute(long nanos) {
    return Math.max(0, nanos - origin) / NANOS_PER_MINUTE;
  }

  /** {@return the begin of a minute by the monotonic clock} */
  long nanos(long minute) {
    return origin + minute * NANOS_PER_MINUTE;
  }

  /** {@return how many minutes one bucket covers so that all histories fit: 1, 2, 4, … 64} */
  int width() {
    return width;
  }

  /** {@return whether one more history with its fixed part fits; it is taken then} */
  boolean open() {
    if (!take(MinuteHistory.bytes(0))) {
      return false;
    }
    histories++;
    share();
    return true;
  }

  /**
   * Gives back a whole history.
   *
   * @param bytes of its buckets
   */
  void close(int bytes) {
    give(MinuteHistory.bytes(0) + bytes);
    histories--;
    share();
  }

  /** {@return whether so many bytes were left; they are taken then} */
  boolean take(int bytes) {
    if (used + bytes > limit) {
      return false;
    }
    used += bytes;
    return true;
  }

  void give(int bytes) {
    used -= bytes;
  }

  /** {@return bytes that are taken} */
  long used() {
    return used;
  }

  private void share() {
    width = 1;
    while (width < MAX_WIDTH
        && histories * (long) MinuteHistory.bytes(BucketRing.full(width)) > limit) {
      width *= 2;
    }
  }
}
