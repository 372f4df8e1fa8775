package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import io.probelet.probe.engine.ProbeLoop.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Notices when the loop itself stood still (W-12): long garbage collection, CPU starvation, a
 * stopped process, a suspended machine. A heartbeat runs while probes are in flight; a beat that
 * comes late, or a wall clock that ran ahead of the monotonic one, is a stall.
 */
final class StallWatch {
  /** A stall is noticed to within this time; short enough to tell 100 ms from nothing. */
  static final long BEAT_NANOS = Duration.ofMillis(25).toNanos();

  /** More stalls than this within one probe are told by the latest ones. */
  private static final int REMEMBERED = 16;

  private static final long SHORTEST_STALL_NANOS = Duration.ofMillis(100).toNanos();

  private final ProbeLoop loop;
  private final TimeSource time;
  private @Nullable Timer heartbeat;
  private int inFlight;
  private long lastBeat;
  private long lastWallMillis;
  private final long[] stallLengths = new long[REMEMBERED];
  private int stalls;

  StallWatch(ProbeLoop loop) {
    this.loop = loop;
    this.time = loop.time();
  }

  /** Begins watching on behalf of one probe. */
  void probeStarted() {
    if (inFlight++ > 0) {
      return;
    }
    lastBeat = time.nanoTime();
    lastWallMillis = time.wallTime().toEpochMilli();
    heartbeat = loop.schedule(BEAT_NANOS, this::beat);
  }

  /** Ends watching on behalf of one probe. */
  void probeEnded() {
    if (--inFlight == 0 && heartbeat != null) {
      heartbeat.cancel();
      heartbeat = null;
    }
  }

  private void beat() {
    look();
    heartbeat = loop.schedule(BEAT_NANOS, this::beat);
  }

  private void look() {
    long now = time.nanoTime();
    long wallMillis = time.wallTime().toEpochMilli();
    long gap = now - lastBeat;
    // The monotonic clock stands still while the machine is suspended; the wall clock does not.
    long suspended = Duration.ofMillis(wallMillis - lastWallMillis).toNanos() - gap;
    long stall = Math.max(gap, suspended);
    if (stall >= SHORTEST_STALL_NANOS) {
      stallLengths[stalls++ % REMEMBERED] = stall;
    }
    lastBeat = now;
    lastWallMillis = wallMillis;
  }

  /** {@return a mark for the present moment} To be asked about later; only while a probe runs. */
  int mark() {
    look(); // so that a stall before this moment is not counted after it
    return stalls;
  }

  /** Tells whether a stall of at least a tenth of the timeout (and 100 ms) came since a mark. */
  boolean stalledSince(int mark, Duration timeout) {
    look();
    long limit = Math.max(SHORTEST_STALL_NANOS, timeout.toNanos() / 10);
    for (int stall = Math.max(mark, stalls - REMEMBERED); stall < stalls; stall++) {
      if (stallLengths[stall % REMEMBERED] >= limit) {
        return true;
      }
    }
    return false;
  }
}
