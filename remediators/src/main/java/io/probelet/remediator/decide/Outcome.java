package io.probelet.remediator.decide;

import io.probelet.kube.ApiResult;

/**
 * The result of an action of the previous step. A new leader has none.
 *
 * @param result what the API server answered; what was there or gone already counts as done
 */
public record Outcome(Action action, ApiResult result) {
  /** {@return whether it was carried out} */
  public boolean isDone() {
    return result instanceof ApiResult.Done;
  }
}
