package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.GoDuration;
import io.probelet.remediator.decide.Action.KeepCordoned;
import io.probelet.remediator.decide.Action.Uncordon;
import io.probelet.remediator.decide.ObservedHook.OfJob;
import io.probelet.remediator.resource.Milestone;
import io.probelet.remediator.resource.NodeConditionStatus;
import io.probelet.remediator.resource.RemediationCondition;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.UncordonSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * ACT-22: when the node of a deleted remediation takes pods again. A check that did not pass, or
 * could not be carried out, never uncordons: after the timeout the node stays as it is.
 *
 * <pre>
 *  resource deleted      conditions there    for      Job complete
 *      |── cordoned ──────────────|───────────|────────────|── uncordoned
 *      |──────────────── timeout, or the Job failed ────────── stays cordoned, reported
 * </pre>
 */
final class UncordonRules {
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  private UncordonRules() {}

  /**
   * Decides about a node that this remediation has cordoned.
   *
   * @param situation all that is known; observed is the Job of the checks if there is one
   */
  static Step next(Situation<?, ?> situation, UncordonSpec spec) {
    RemediationProgress status = situation.status();
    Instant now = situation.now();
    boolean passes =
        spec.conditions().stream()
            .allMatch(each -> each.status().equals(status(situation.node(), each)));
    Optional<Instant> since = status.conditionSince(RemediationCondition.UNCORDON_PENDING, "True");
    String text = text(situation.node(), spec);
    RemediationProgress looked = status.uncordonPending(passes, text, now);
    if (since.isEmpty()) { // recorded before anything else, so that the timeout has its start
      return Step.of(looked)
          .again(AT_ONCE)
          .say(Notice.normal("UncordonPending", "the node stays cordoned: " + text));
    }
    Duration most = spec.timeout().plus(spec.stable());
    if (Duration.between(since.get(), now).compareTo(most) >= 0) {
      return keep(
          situation,
          looked,
          "UncordonTimedOut",
          "not uncordoned within %s: %s".formatted(GoDuration.format(most), text));
    }
    Duration stable =
        looked
            .conditionSince(RemediationCondition.UNCORDON_CHECKS_PASSED, "True")
            .map(from -> Duration.between(from, now))
            .orElse(Duration.ZERO);
    if (!passes || stable.compareTo(spec.stable()) < 0) {
      return Step.of(looked).again(LOOK);
    }
    return spec.job()
        .map(template -> job(situation, looked, template))
        .orElseGet(() -> uncordon(situation, looked));
  }

  /** The step that ends the cordon. */
  static Step uncordon(Situation<?, ?> situation, RemediationProgress status) {
    return Step.of(status)
        .then(new Uncordon(situation.node()))
        .again(Duration.ofSeconds(1))
        .say(Notice.normal("Uncordoned", "the node accepts pods again"));
  }

  private static Step keep(
      Situation<?, ?> situation, RemediationProgress status, String reason, String text) {
    return Step.of(status)
        .then(new KeepCordoned(situation.node(), text))
        .again(Duration.ofSeconds(1))
        .say(Notice.warning(reason, text));
  }

  private static Step jobFailed(
      Situation<?, ?> situation, RemediationProgress status, String text) {
    return keep(situation, status, "UncordonJobFailed", text);
  }

  private static Step job(
      Situation<?, ?> situation, RemediationProgress status, ObjectNode template) {
    OfJob job =
        situation.observed() instanceof OfJob seen
            ? seen
            : new OfJob(ObservedHook.State.MISSING, "");
    boolean ran = status.milestone().reached() == Milestone.Reached.JOB_STARTED;
    return switch (job.state()) {
      case COMPLETE -> uncordon(situation, status);
      case RUNNING -> Step.of(status.with(Milestone.of(Milestone.Reached.JOB_STARTED))).again(LOOK);
      case FAILED -> jobFailed(situation, status, "the Job failed: " + job.message());
      case FOREIGN ->
          jobFailed(
              situation,
              status,
              "Job %s belongs to another owner"
                  .formatted(HookJob.uncordonName(situation.remediation())));
      case MISSING ->
          ran
              ? jobFailed(situation, status, "the Job was deleted before it completed or failed")
              : create(situation, status, template);
    };
  }

  private static Step create(
      Situation<?, ?> situation, RemediationProgress status, ObjectNode template) {
    return HookDecider.refusedJob(situation)
        .map(refusal ->
            jobFailed(situation, status, "the Job cannot be created: " + refusal.summary()))
        .orElseGet(() ->
            Step.of(status)
                .then(
                    HookJob.create(
                        situation.remediation(),
                        HookJob.uncordonName(situation.remediation()),
                        situation.node(),
                        template))
                .again(LOOK));
  }

  private static String status(ObservedNode node, NodeConditionStatus condition) {
    return node.conditions().getOrDefault(condition.type(), "missing");
  }

  private static String text(ObservedNode node, UncordonSpec spec) {
    String open =
        spec.conditions().stream()
            .filter(each -> !each.status().equals(status(node, each)))
            .map(each ->
                "%s is %s, not %s".formatted(each.type(), status(node, each), each.status()))
            .collect(Collectors.joining(", "));
    if (!open.isEmpty()) {
      return open;
    }
    return spec.jobOrNull() == null
        ? "all conditions are there, waiting for " + GoDuration.format(spec.stable())
        : "all conditions are there, waiting for %s and the Job"
            .formatted(GoDuration.format(spec.stable()));
  }
}
