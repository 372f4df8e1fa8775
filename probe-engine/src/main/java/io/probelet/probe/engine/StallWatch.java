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

  private static final long SHORTEST_STALL_NANOS = Duration.ofMillis(100).toNanos();

  private final ProbeLoop loop;
  private final TimeSource time;
  private @Nullable Timer heartbeat;
  private int inFlight;
  private long lastBeat;
  private long lastWallMillis;
  private final long[] stallEnds = new long[16];
  private final long[] stallLengths = new long[16];
  private int stalls;

  StallWatch(ProbeLoop loop) {
    this.loop = loop;
    this.time = loop.time();
  }

  /** Begins watching on behalf of one probe. */
  void probeStarted() {
    if (inFlight++ > 0) {
      look(); // so that a stall before this probe is not blamed on it
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
      int slot = stalls++ % stallEnds.length;
      stallEnds[slot] = now;
      stallLengths[slot] = stall;
    }
    lastBeat = now;
    lastWallMillis = wallMillis;
  }

  /**
   * Tells whether a stall of at least a tenth of the timeout (and 100 ms) overlapped the time since
   * a probe began.
   */
  boolean stalledSince(long startNanos, Duration timeout) {
    look();
    long limit = Math.max(SHORTEST_STALL_NANOS, timeout.toNanos() / 10);
    for (int slot = 0; slot < Math.min(stalls, stallEnds.length); slot++) {
      if (stallLengths[slot] >= limit && stallEnds[slot] - startNanos > 0) {
        return true;
      }
    }
    return false;
  }
}
