package io.probelet.probe.engine;

/**
 * How {@link MinuteHistory} writes a bucket: four bytes, for the outcomes that succeeded, those
 * that failed, and the 50th and 99th percentile of their latencies. Counts and latencies are
 * logarithmic.
 */
final class MinuteBuckets {
  static final int BYTES = 4;

  /** Codes of latencies: up to 16 µs, then four for each doubling, up to 4 minutes. */
  static final int LATENCIES = 97;

  private static final int EXACT_COUNTS = 32;

  private MinuteBuckets() {}

  /** {@return a count as a byte: exact up to 32, then 16 codes for each doubling} */
  static int countCode(long count) {
    if (count < EXACT_COUNTS) {
      return (int) Math.max(0, count);
    }
    int exponent = 63 - Long.numberOfLeadingZeros(count);
    int mantissa = (int) (count >> (exponent - 4)) & 15;
    return Math.min(255, EXACT_COUNTS + (exponent - 5) * 16 + mantissa);
  }

  /** {@return the count that a byte stands for} */
  static int count(int code) {
    if (code < EXACT_COUNTS) {
      return code;
    }
    int shift = 1 + (code - EXACT_COUNTS) / 16;
    int least = (16 + (code - EXACT_COUNTS) % 16) << shift;
    return least + ((1 << shift) - 1) / 2;
  }

  /** {@return the code of a latency} */
  static int latencyCode(long nanos) {
    long micros = nanos / 1_000;
    if (micros < 16) {
      return 0;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(micros);
    int mantissa = (int) (micros >> (exponent - 2)) & 3;
    return Math.min(LATENCIES - 1, 1 + (exponent - 4) * 4 + mantissa);
  }

  /** {@return the middle of the latencies that a code stands for, in nanoseconds} */
  static long latencyNanos(int code) {
    if (code == 0) {
      return 8_000;
    }
    int shift = 2 + (code - 1) / 4;
    long least = (4L + (code - 1) % 4) << shift;
    return (least + (1L << shift) / 2) * 1_000;
  }

  /**
   * {@return the code of a percentile}
   *
   * @param counts how often each code came, as unsigned bytes
   * @param percent which, above 0 and at most 100
   */
  static int percentile(byte[] counts, int percent) {
    int all = 0;
    for (byte count : counts) {
      all += count & 255;
    }
    int rank = (int) Math.ceilDiv((long) all * percent, 100L);
    int seen = 0;
    for (int code = 0; code < counts.length; code++) {
      seen += counts[code] & 255;
      if (seen >= rank && seen > 0) {
        return code;
      }
    }
    return 0;
  }

  /** A sum of buckets; the sum of none is empty. */
  static final class Sum {
    long up;
    long failed;
    private long weighted;
    private int slowest;

    void add(int upCode, int failedCode, int p50, int p99) {
      long more = (long) count(upCode) + count(failedCode);
      up += count(upCode);
      failed += count(failedCode);
      weighted += more * p50;
      slowest = more == 0 ? slowest : Math.max(slowest, p99);
    }

    void add(Sum other) {
      up += other.up;
      failed += other.failed;
      weighted += other.weighted;
      slowest = Math.max(slowest, other.slowest);
    }

    long all() {
      return up + failed;
    }

    /** {@return the code of the median, as the mean of the buckets' medians} */
    int p50() {
      return all() == 0 ? 0 : (int) ((weighted + all() / 2) / all());
    }

    int p99() {
      return slowest;
    }
  }
}
