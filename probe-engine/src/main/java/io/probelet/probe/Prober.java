package io.probelet.probe;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Carries out single attempts on one event loop.
 *
 * <p>It is called on that loop only and calls back on that loop only, exactly once per attempt,
 * possibly before {@code probe} returns. An exception it throws counts as {@link
 * Verdict.Reason#INTERNAL}.
 */
@FunctionalInterface
public interface Prober {
  /**
   * Starts one attempt.
   *
   * @param handler what to do
   * @param target the container to probe
   * @param timeout bound over the whole attempt, greater than zero
   * @param done takes the outcome
   */
  void probe(
      ProbeHandler handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done);
}
