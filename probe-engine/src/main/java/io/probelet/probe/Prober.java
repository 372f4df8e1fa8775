package io.probelet.probe;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Runs single probe attempts on one event loop.
 *
 * <p>It is called on that loop only and calls back on that loop only, exactly once per attempt,
 * possibly before {@code probe} returns. An exception it throws counts as {@link
 * Verdict.Reason#INTERNAL}.
 *
 * @param <H> the kind of handler
 */
@FunctionalInterface
public interface Prober<H extends ProbeHandler> {
  /**
   * Starts one attempt.
   *
   * @param handler what to do
   * @param target the container to probe
   * @param timeout bound over the whole attempt, greater than zero
   * @param done takes the outcome
   */
  void probe(H handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done);
}
