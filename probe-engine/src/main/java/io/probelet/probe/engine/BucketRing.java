package io.probelet.probe.engine;

import io.probelet.probe.engine.MinuteBuckets.Sum;

/**
 * The closed buckets of one {@link MinuteHistory}, oldest first: at most those of 24 hours, as far
 * as the {@link HistoryBudget} has memory for them.
 */
final class BucketRing {
  private static final int FIRST_BUCKETS = 16;

  private final HistoryBudget budget;
  private byte[] bytes = new byte[0];
  private int next;
  private int size;
  private int width = 1;

  /** Number of the newest bucket, counted from the budget's origin. */
  private long newest;

  private boolean shortened;

  BucketRing(HistoryBudget budget) {
    this.budget = budget;
  }

  /** {@return how many buckets 24 hours have} */
  static int full(int width) {
    return Math.ceilDiv(MinuteHistory.MINUTES, width);
  }

  /** {@return how many minutes a bucket covers} */
  int width() {
    return width;
  }

  int size() {
    return size;
  }

  /** {@return the bytes that were taken from the budget} */
  int bytes() {
    return bytes.length;
  }

  /** {@return whether an old bucket was dropped for want of memory} */
  boolean shortened() {
    return shortened;
  }

  /**
   * {@return the number of a bucket: {@link #width} minutes each, counted from the budget's origin}
   *
   * @param place 0 for the oldest
   */
  long number(int place) {
    return newest - (size - 1 - place);
  }

  /**
   * Adds a bucket to a sum.
   *
   * @param place 0 for the oldest
   */
  void addTo(Sum sum, int place) {
    int at = slot(place) * MinuteBuckets.BYTES;
    sum.add(bytes[at] & 255, bytes[at + 1] & 255, bytes[at + 2] & 255, bytes[at + 3] & 255);
  }

  /**
   * Stores the newest bucket.
   *
   * @param number not less than that of the newest
   * @param bucket what it holds
   */
  void store(long number, Sum bucket) {
    if (size > 0 && number == newest) { // its first part was stored when buckets became wider
      addTo(bucket, size - 1);
      put(bytes, slot(size - 1), bucket);
      return;
    }
    if (size > 0) {
      Sum nothing = new Sum();
      for (long gap = Math.min(number - newest - 1, full(width)); gap > 0; gap--) {
        push(nothing);
      }
    }
    push(bucket);
    newest = number;
  }

  private void push(Sum bucket) {
    if (size == capacity() && size < full(width)) {
      grow(Math.min(full(width), Math.max(FIRST_BUCKETS, 2 * size)));
    }
    if (capacity() > 0) {
      put(bytes, next, bucket);
      next = (next + 1) % capacity();
      size = Math.min(size + 1, capacity());
    }
  }

  private int capacity() {
    return bytes.length / MinuteBuckets.BYTES;
  }

  private void grow(int buckets) {
    int more = buckets * MinuteBuckets.BYTES - bytes.length;
    if (!budget.take(more)) {
      shortened = true; // the oldest bucket gives way, until others have become wider
      return;
    }
    byte[] longer = new byte[bytes.length + more];
    for (int i = 0; i < size; i++) {
      int from = slot(i) * MinuteBuckets.BYTES;
      System.arraycopy(bytes, from, longer, i * MinuteBuckets.BYTES, MinuteBuckets.BYTES);
    }
    bytes = longer;
    next = size;
  }

  /**
   * Merges neighbors into buckets of more minutes.
   *
   * @param wider a multiple of the width
   */
  void widen(int wider) {
    int factor = wider / width;
    int length = Math.min(capacity(), size / factor + 2);
    byte[] merged = new byte[length * MinuteBuckets.BYTES];
    int count = 0;
    for (int place = 0; place < size; ) {
      long number = number(place) / factor;
      Sum sum = new Sum();
      for (; place < size && number(place) / factor == number; place++) {
        addTo(sum, place);
      }
      put(merged, count++, sum);
    }
    budget.give(bytes.length - merged.length);
    bytes = merged;
    size = count;
    next = length == 0 ? 0 : count % length;
    newest /= factor;
    width = wider;
  }

  /** Forgets all buckets. */
  void clear() {
    bytes = new byte[0];
    size = 0;
    next = 0;
  }

  private int slot(int place) {
    return Math.floorMod(next - size + place, capacity());
  }

  private static void put(byte[] to, int slot, Sum sum) {
    int at = slot * MinuteBuckets.BYTES;
    to[at] = (byte) MinuteBuckets.countCode(sum.up);
    to[at + 1] = (byte) MinuteBuckets.countCode(sum.failed);
    to[at + 2] = (byte) sum.p50();
    to[at + 3] = (byte) sum.p99();
  }
}
