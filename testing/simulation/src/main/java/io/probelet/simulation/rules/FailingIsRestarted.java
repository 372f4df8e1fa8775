package io.probelet.simulation.rules;

import io.probelet.simulation.node.ContainerInstance;
import io.probelet.simulation.rules.WorldEvent.StopsJudged;
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
    return "No hold lasts forever, nor longer than its limit: a failing container is restarted while"
        + " nothing keeps its agent from it (D-1, D-11, D-13).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof StopsJudged stops) {
      findings.check(this, stops.at(), stops.overdue().isEmpty(), () -> stops.overdue().getFirst());
    }
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
