package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.GoDuration;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.remediator.resource.HttpsHook;
import io.probelet.remediator.resource.Milestone;
import io.probelet.remediator.resource.OutOfServiceSpec;
import io.probelet.remediator.resource.OutOfServiceSpec.Confirmation;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import java.time.Duration;
import java.util.Optional;

/**
 * Taints a node as out of service once its power-off is confirmed, and only while it is not ready
 * (ACT-58 to ACT-60). Kubernetes then deletes its pods and attaches its volumes elsewhere. If the
 * node were still running, it could write to these volumes.
 */
public final class OutOfServiceDecider implements Decider<OutOfServiceSpec, HookAnswer> {
  /** Annotation that confirms that a node is off. Its value is the last boot ID. */
  public static final String POWER_OFF = "probelet.io/power-off";

  private static final NodeTaint TAINT =
      new NodeTaint("node.kubernetes.io/out-of-service", "nodeshutdown", "NoExecute");
  private static final Duration SOON = Duration.ofSeconds(10);

  /** Keeps nothing. */
  public OutOfServiceDecider() {}

  @Override
  public Step next(Situation<OutOfServiceSpec, HookAnswer> situation) {
    ObservedNode node = situation.node();
    boolean tainted = node.taints().stream().anyMatch(each -> each.key().equals(TAINT.key()));
    if (tainted) {
      return Step.of(
          situation
              .status()
              .succeeded(
                  isOurs(situation)
                      ? "the node is off; the taint is set"
                      : "the node already had the taint",
                  situation.now()));
    }
    if (situation.hasBooted()) {
      return failed(situation, "NodeHasBooted", "the node has rebooted, so it is not off");
    }
    if (HookCourse.elapsed(situation).compareTo(situation.spec().confirmWithin()) >= 0) {
      return failed(
          situation,
          "NotConfirmed",
          "no confirmation within %s that the node is off; last status: %s"
              .formatted(
                  GoDuration.format(situation.spec().confirmWithin()),
                  situation.status().message()));
    }
    return switch (situation.spec().confirmation()) {
      case Confirmation.ByAnnotation() -> byAnnotation(situation);
      case Confirmation.ByHook(HttpsHook https) -> byHook(situation, https);
    };
  }

  private static boolean isOurs(Situation<?, ?> situation) {
    return situation.status().milestone().reached() == Milestone.Reached.TAINT_SET;
  }

  private static Step failed(
      Situation<OutOfServiceSpec, HookAnswer> situation, String reason, String message) {
    return Step.of(situation.status().failed(reason, message, situation.now()));
  }

  private static Step wait(Situation<OutOfServiceSpec, HookAnswer> situation, String message) {
    return Step.of(situation.status().in(RemediationPhase.WAITING, message, situation.now()))
        .again(SOON);
  }

  private static Step byAnnotation(Situation<OutOfServiceSpec, HookAnswer> situation) {
    String bootId = situation.status().bootId();
    if (bootId.isEmpty()) { // ACT-58: an annotation of an earlier time would confirm this one, too
      return failed(
          situation,
          "NotConfirmed",
          "the Node has no status.nodeInfo.bootID, which the annotation must state");
    }
    String said = situation.node().annotations().getOrDefault(POWER_OFF, "");
    if (said.equals(bootId)) {
      return off(situation);
    }
    return wait(
        situation,
        "if the node is off, annotate it: %s=%s%s"
            .formatted(
                POWER_OFF,
                bootId,
                said.isEmpty() ? "" : "; the current value belongs to another boot"));
  }

  private static Step byHook(Situation<OutOfServiceSpec, HookAnswer> situation, HttpsHook https) {
    return switch (HookCourse.of(situation, https, situation.observed())) {
      case HookCourse.GoingOn(Step step) -> step;
      case HookCourse.Refused(String message) -> failed(situation, "NotConfirmed", message);
      case HookCourse.Answered(JsonNode body, Step _)
          when body.path("power").asText().equals("off") ->
          off(situation);
      case HookCourse.Answered(JsonNode _, Step later) -> later;
    };
  }

  /** ACT-59: a node that is ready is not off, whatever was said. */
  private static Step off(Situation<OutOfServiceSpec, HookAnswer> situation) {
    if (situation.node().isReady()) {
      Step wait = wait(situation, "the node was reported off but is Ready; waiting");
      return Step.of(wait.status().with(Milestone.NONE)).again(SOON); // an endpoint is asked anew
    }
    RemediationProgress status =
        situation
            .status()
            .in(
                RemediationPhase.WAITING,
                "the node is off; the taint is being set",
                situation.now())
            .with(Milestone.of(Milestone.Reached.TAINT_SET));
    return Step.of(status).then(new Action.SetTaint(situation.node(), TAINT)).again(SOON);
  }

  /** ACT-60: the node is healthy, or given up; whatever it had before it keeps. */
  @Override
  public Optional<Step> undo(Situation<OutOfServiceSpec, HookAnswer> situation) {
    return isOurs(situation) && situation.node().taints().contains(TAINT)
        ? Optional.of(
            Step.of(situation.status())
                .then(new Action.RemoveTaint(situation.node(), TAINT))
                .again(SOON))
        : Optional.empty();
  }
}
