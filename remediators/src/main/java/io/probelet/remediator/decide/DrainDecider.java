package io.probelet.remediator.decide;

import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.RemediationProgress;

/** The rules of DrainRemediation: cordons the node, then evicts its pods. */
public final class DrainDecider implements Decider<DrainSpec, DrainPods> {
  /** Needs nothing. */
  public DrainDecider() {}

  @Override
  public Step next(Situation<DrainSpec, DrainPods> situation) {
    RemediationProgress status = situation.status();
    DrainProgress drain = DrainProgress.of(situation, situation.spec());
    return switch (drain.state()) {
      case GOING_ON -> drain.goingOn(situation);
      case DRAINED -> {
        String text = "drained: " + drain.message();
        yield Step.of(status.succeeded(text, situation.now())).say(Notice.normal("Drained", text));
      }
      case FAILED ->
          Step.of(status.failed("DrainFailed", drain.message(), situation.now()))
              .say(Notice.warning("DrainFailed", drain.message()));
    };
  }
}
