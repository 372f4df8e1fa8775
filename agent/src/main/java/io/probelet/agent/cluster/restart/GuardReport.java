package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.restart.WorkloadReport.Passed;
import java.time.Duration;

/**
 * Takes what a {@link WorkloadGuard} decides, from one thread at a time.
 *
 * @param <D> what was to happen
 */
interface GuardReport<D> {
  /** It is on hold; repeated for as long as it is. */
  void held(D decision, String why);

  /** It happens without a check of the budget. */
  void passed(Passed reason, String why);

  /** The budget can be checked again. */
  void known();

  /** It happens because the longest hold is over. */
  void heldLongEnough(D decision, Duration length, String why);

  /** A pod has been in the budget for as long as the window, and no longer counts. */
  void expired(String pod, Duration window);
}
