package io.probelet.probe;

import java.util.Optional;

/**
 * Counts the requests of a probe after the first, such as one per followed redirect (W-13), so that
 * a target cannot turn one probe into many.
 */
@FunctionalInterface
public interface RedirectBudget {
  /** Counts nothing, for probes without a budget. */
  RedirectBudget UNCHARGED = Optional::empty;

  /**
   * Counts one more request. Call it on the probe's loop, before sending.
   *
   * @return the outcome of the probe if the request is over budget; empty if it may be sent
   */
  Optional<Verdict.ProberError> charge();
}
