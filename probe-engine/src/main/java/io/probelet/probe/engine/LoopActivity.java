package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * When probing on one loop last got on: a tick was carried out, or a probe ended. Also samples how
 * late ticks are; a timer of its own for that would wake up an agent that has nothing to probe.
 */
final class LoopActivity {
  private static final long SAMPLE_NANOS = Duration.ofSeconds(1).toNanos();

  private final TimeSource time;
  private volatile Consumer<Duration> samples = lag -> {};
  private long last;
  private long sampled;

  LoopActivity(TimeSource time) {
    this.time = time;
    last = time.nanoTime();
    sampled = last;
  }

  /** Replaces what takes the samples; from any thread. */
  void sampleTo(Consumer<Duration> taken) {
    samples = taken;
  }

  /**
   * A worker ticks. After a stall of a second or more the first tick is always a sample.
   *
   * @param planned when it should have ticked
   */
  void ticked(long planned) {
    beat();
    sample(Math.max(0, last - planned));
  }

  /**
   * A probe is discarded because the loop stood still. If no tick was due meanwhile, only this
   * shows it.
   *
   * @param nanos how long, zero or more
   */
  void stalled(long nanos) {
    beat();
    sample(nanos);
  }

  private void sample(long lag) {
    if (last - sampled >= SAMPLE_NANOS) {
      sampled = last;
      samples.accept(Duration.ofNanos(lag));
    }
  }

  void beat() {
    last = time.nanoTime();
  }

  long last() {
    return last;
  }
}
