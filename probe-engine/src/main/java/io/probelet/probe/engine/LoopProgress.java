package io.probelet.probe.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * Progress of probing on one responsive loop (W-14). A loop may respond and still not probe: when
 * timers are lost, or when a prober never returns an outcome.
 *
 * @param workers how many there are
 * @param overdue how long the worker that is latest should have ticked or ended its probe; zero or
 *     less when none is late
 * @param sinceProgress since any worker last ticked or ended its probe
 */
public record LoopProgress(int workers, Duration overdue, Duration sinceProgress) {
  /** More than any stall that passes by itself; a liveness probe of ours adds its threshold. */
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** {@return the problem; empty while probing makes progress or has nothing to do} */
  public Optional<String> problem() {
    return workers > 0 && overdue.compareTo(TIMEOUT) > 0 && sinceProgress.compareTo(TIMEOUT) > 0
        ? Optional.of(
            "probing is not making progress: "
                + workers
                + " workers, one overdue for "
                + overdue.toSeconds()
                + " s, no progress for "
                + sinceProgress.toSeconds()
                + " s")
        : Optional.empty();
  }
}
