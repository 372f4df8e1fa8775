package io.probelet.probe.engine;

import io.probelet.probe.ProbeOutcome.ProbeTimings;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The phases of a worker's last outcomes, by slots of its {@link ProbeHistory}. A phase that never
 * happens costs nothing, one that does costs two bytes an outcome: a node has thousands of workers.
 */
final class PhaseHistory {
  private static final int BEFORE = 0;
  private static final int RESOLVE = 1;
  private static final int CONNECT = 2;
  private static final int TLS = 3;
  private static final int FIRST_BYTE = 4;
  private static final int PHASES = 5;

  /** Half a float has 11 bits: three digits, for up to a minute of milliseconds. */
  private static final short NONE = Float.floatToFloat16(Float.NaN);

  private static final double NANOS_PER_MILLI = 1e6;
  private static final float MAX_MILLIS = 65_504;

  private final short[][] millis = new short[PHASES][];

  /** {@return whether there is something to remember of an attempt} */
  static boolean has(ProbeTimings timings) {
    return timings.begun() > 0 || timings.resolved() >= 0 || timings.connected() >= 0;
  }

  /**
   * Takes the phases of an outcome.
   *
   * @param slot where, less than {@code capacity}
   * @param capacity how many slots there are now; never fewer than before
   */
  void set(int slot, int capacity, ProbeTimings timings) {
    put(BEFORE, slot, capacity, timings.begun() > 0 ? timings.begun() : ProbeTimings.NOT_REACHED);
    long end = Math.max(0, timings.begun());
    end = put(RESOLVE, slot, capacity, end, timings.resolved());
    end = put(CONNECT, slot, capacity, end, timings.connected());
    end = put(TLS, slot, capacity, end, timings.secured());
    put(FIRST_BYTE, slot, capacity, end, timings.firstByte());
  }

  /** {@return the end of this phase, or of the one before where it was not reached} */
  private long put(int phase, int slot, int capacity, long before, long reached) {
    put(phase, slot, capacity, reached < 0 ? reached : Math.max(0, reached - before));
    return Math.max(before, reached);
  }

  private void put(int phase, int slot, int capacity, long nanos) {
    short[] values = millis[phase];
    if (values == null && nanos < 0) {
      return;
    }
    if (values == null || values.length <= slot) {
      int known = values == null ? 0 : values.length;
      values = values == null ? new short[capacity] : Arrays.copyOf(values, capacity);
      Arrays.fill(values, known, capacity, NONE);
      millis[phase] = values;
    }
    values[slot] =
        nanos < 0
            ? NONE
            : Float.floatToFloat16((float) Math.min(MAX_MILLIS, nanos / NANOS_PER_MILLI));
  }

  /** {@return the phases of an outcome} Null if it had none. */
  @Nullable ProbePhases get(int slot) {
    Duration before = of(BEFORE, slot);
    Duration resolve = of(RESOLVE, slot);
    Duration connect = of(CONNECT, slot);
    Duration tls = of(TLS, slot);
    Duration firstByte = of(FIRST_BYTE, slot);
    return before == null && resolve == null && connect == null && tls == null && firstByte == null
        ? null
        : new ProbePhases(
            before == null ? Duration.ZERO : before, resolve, connect, tls, firstByte);
  }

  private @Nullable Duration of(int phase, int slot) {
    short[] values = millis[phase];
    if (values == null || slot >= values.length) {
      return null;
    }
    float found = Float.float16ToFloat(values[slot]);
    return Float.isNaN(found) ? null : Duration.ofNanos(Math.round(found * NANOS_PER_MILLI));
  }
}
