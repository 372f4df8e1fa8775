package io.probelet.simulation.rules;

import io.probelet.simulation.node.ContainerInstance;
import java.time.Duration;

/** What nobody restarts stays broken, however careful the reason for that. */
final class FailingIsRestarted implements Rule {
  /** The longest hold, and back-off after it. */
  private static final Duration PATIENCE = Duration.ofMinutes(12);

  @Override
  public String name() {
    return "failing-is-restarted";
  }

  @Override
  public String reason() {
    return "No hold lasts forever: once the world is quiet, a failing container is restarted"
        + " (D-1).";
  }

  @Override
  public void settled(EndState end, Findings findings) {
    long before = end.at() - PATIENCE.toNanos();
    for (ContainerInstance instance : end.instances()) {
      if (StopsCompleteNoJob.wouldComplete(instance)) {
        continue;
      }
      boolean overdue =
          instance.running()
              ? instance.start() < before
                  && Truth.failing(instance, before).isPresent()
                  && Truth.failing(instance, end.at()).isPresent()
              : instance.ended() < before;
      findings.check(
          this,
          end.at(),
          !overdue,
          () ->
              "%s/%s (%s) is %s for longer than %s"
                  .formatted(
                      instance.container().pod().ref(),
                      instance.container().spec().name(),
                      instance.id(),
                      instance.running() ? "failing" : "not running",
                      PATIENCE));
    }
  }
}
