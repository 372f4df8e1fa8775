package io.probelet.probe;

import java.util.Optional;

/**
 * Charges what a probe sends beyond the request it began with, such as one for each redirect that
 * it follows (W-13): who answers a probe must not make one probe into many.
 */
@FunctionalInterface
public interface RedirectBudget {
  /** Charges nothing, for probes that nobody counts. */
  RedirectBudget UNCHARGED = Optional::empty;

  /**
   * Charges one more request; to be called on the loop of the probe, before it is sent.
   *
   * @return how the probe ends because the request may not be sent; empty if it may
   */
  Optional<Verdict.ProberError> charge();
}
