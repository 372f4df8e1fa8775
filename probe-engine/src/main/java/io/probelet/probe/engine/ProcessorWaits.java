package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How long a loop had work and no processor (W-12), where the kernel's counts of it say more than
 * beats that came late: many waits that are too short for that.
 */
final class ProcessorWaits {
  private final List<LongSupplier> counters;
  private final long[] before;
  private final TimeSource time;
  private boolean begun;
  private long read;
  private long known;

  /** Begins with what the counters say at the first {@link #fresh}. */
  ProcessorWaits(List<LongSupplier> counters, TimeSource time) {
    this.counters = counters;
    this.time = time;
    before = new long[counters.size()];
  }

  /** Records a stall that is already known, because the kernel's counts include it. */
  void known(long nanos) {
    known += nanos;
  }

  /** Forgets what has been counted so far, unless that was read just now. */
  void fresh(long notOlderThanNanos) {
    if (!begun || time.nanoTime() - read >= notOlderThanNanos) {
      long unused = unknown();
    }
  }

  /**
   * {@return CPU wait since the last call, without known stalls} The counts overlap, so the largest
   * is used. A count over all CPUs may exceed the elapsed time.
   */
  long unknown() {
    long now = time.nanoTime();
    long most = 0;
    for (int i = 0; i < before.length; i++) {
      long counted = counters.get(i).getAsLong();
      most = Math.max(most, counted - before[i]);
      before[i] = counted;
    }
    long waited = Math.min(most, now - read) - known;
    read = now;
    begun = true;
    known = 0;
    return Math.max(0, waited);
  }
}
