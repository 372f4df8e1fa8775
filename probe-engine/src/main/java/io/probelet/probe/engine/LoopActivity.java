package io.probelet.probe.engine;

import io.probelet.health.TimeSource;

/** When probing on one loop last got on: a tick was carried out, or a probe ended. */
final class LoopActivity {
  private final TimeSource time;
  private long last;

  LoopActivity(TimeSource time) {
    this.time = time;
    last = time.nanoTime();
  }

  void beat() {
    last = time.nanoTime();
  }

  long last() {
    return last;
  }
}
