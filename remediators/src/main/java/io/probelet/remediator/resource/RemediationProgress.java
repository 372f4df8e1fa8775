package io.probelet.remediator.resource;

import static io.probelet.remediator.resource.RemediationCondition.PERMANENT_NODE_DELETION_EXPECTED;
import static io.probelet.remediator.resource.RemediationCondition.PROCESSING;
import static io.probelet.remediator.resource.RemediationCondition.SUCCEEDED;

import io.probelet.health.OneLine;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a remediation's resource says of how far it has come. Times are whole seconds, as the API
 * keeps them.
 *
 * @param message one sentence for people, at most {@value #MAX_MESSAGE} characters; nothing is
 *     decided by it
 * @param milestone what was done within the phase, by which is decided
 * @param node the node's name; empty until it is begun
 * @param bootId the node's boot id at the beginning; empty until it is begun, or if unknown
 * @param startTime when it was begun; null until then
 * @param phaseTime when the phase was reached; null until it is begun
 * @param evidence what was kept of the node's state; null if nothing was
 * @param conditions Processing, Succeeded and PermanentNodeDeletionExpected, none until it is
 *     begun; and those of the checks before the node is uncordoned
 */
public record RemediationProgress(
    RemediationPhase phase,
    String message,
    Milestone milestone,
    String node,
    String bootId,
    @Nullable Instant startTime,
    @Nullable Instant phaseTime,
    @Nullable KeptEvidence evidence,
    List<RemediationCondition> conditions) {
  /** Of a remediation that nobody has begun. */
  public static final RemediationProgress NONE =
      new RemediationProgress(
          RemediationPhase.PENDING, "", Milestone.NONE, "", "", null, null, null, List.of());

  /** The most characters of a message; the rest is left out. */
  public static final int MAX_MESSAGE = 1024;

  private static final String TRUE = "True";
  private static final String FALSE = "False";
  private static final String UNKNOWN = "Unknown";
  private static final String STARTED = "RemediationStarted";

  private static final int MAX_NODE = 253;

  /** ACT-44: makes each text one line within its bound, and copies the conditions. */
  public RemediationProgress {
    message = OneLine.of(message, MAX_MESSAGE);
    node = OneLine.of(node, MAX_NODE);
    bootId = BootId.orEmpty(bootId);
    startTime = seconds(startTime);
    phaseTime = seconds(phaseTime);
    conditions = List.copyOf(conditions);
  }

  private static @Nullable Instant seconds(@Nullable Instant moment) {
    return moment == null ? null : moment.truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * {@return that it is being carried out from now on}
   *
   * @param nodeBootId the node's boot id; empty if unknown
   */
  public RemediationProgress begun(
      RemediationPhase first, String nodeName, String nodeBootId, String text, Instant now) {
    return new RemediationProgress(
            first, text, Milestone.NONE, nodeName, nodeBootId, now, now, evidence, conditions)
        .condition(PROCESSING, TRUE, STARTED, text, now)
        .condition(SUCCEEDED, UNKNOWN, STARTED, text, now)
        .condition(PERMANENT_NODE_DELETION_EXPECTED, FALSE, STARTED, text, now);
  }

  /**
   * {@return the same in another phase, or in the same with another message; a phase that does not
   * change keeps its time, and the milestone stays}
   *
   * @param next any that is not terminal
   */
  public RemediationProgress in(RemediationPhase next, String text, Instant now) {
    return new RemediationProgress(
        next,
        text,
        milestone,
        node,
        bootId,
        startTime,
        next == phase && phaseTime != null ? phaseTime : now,
        evidence,
        conditions);
  }

  /** {@return that it has succeeded} */
  public RemediationProgress succeeded(String text, Instant now) {
    return over(RemediationPhase.DONE, TRUE, "RemediationFinishedSuccessfully", text, now);
  }

  /**
   * {@return that it has failed}
   *
   * @param reason one word in UpperCamelCase
   */
  public RemediationProgress failed(String reason, String text, Instant now) {
    return over(RemediationPhase.FAILED, FALSE, reason, text, now);
  }

  private RemediationProgress over(
      RemediationPhase last, String success, String reason, String text, Instant now) {
    RemediationProgress over =
        in(last, text, now)
            .condition(PROCESSING, FALSE, reason, text, now)
            .condition(SUCCEEDED, success, reason, text, now);
    return over.status(PERMANENT_NODE_DELETION_EXPECTED).isPresent()
        ? over
        : over.condition(PERMANENT_NODE_DELETION_EXPECTED, FALSE, reason, text, now);
  }

  /** {@return that the node is expected to be gone for good} */
  public RemediationProgress expectingNodeDeletion(String text, Instant now) {
    return condition(PERMANENT_NODE_DELETION_EXPECTED, TRUE, "NodeDeletionExpected", text, now);
  }

  /**
   * {@return that the node waits for the checks before it is uncordoned}
   *
   * @param passed whether it has the conditions now
   */
  public RemediationProgress uncordonPending(boolean passed, String text, Instant now) {
    String reason = passed ? "ConditionsPassed" : "ConditionsPending";
    return condition(RemediationCondition.UNCORDON_PENDING, TRUE, reason, text, now)
        .condition(
            RemediationCondition.UNCORDON_CHECKS_PASSED, passed ? TRUE : FALSE, reason, text, now);
  }

  /** {@return since when a condition has a status; empty if it does not have it} */
  public Optional<Instant> conditionSince(String type, String status) {
    return conditions.stream()
        .filter(each -> each.type().equals(type) && each.status().equals(status))
        .map(RemediationCondition::lastTransitionTime)
        .findFirst();
  }

  /** {@return the same with another milestone} */
  public RemediationProgress with(Milestone reached) {
    return new RemediationProgress(
        phase, message, reached, node, bootId, startTime, phaseTime, evidence, conditions);
  }

  /** {@return the same with the time of its phase begun anew} */
  public RemediationProgress since(Instant now) {
    return new RemediationProgress(
        phase, message, milestone, node, bootId, startTime, now, evidence, conditions);
  }

  /** {@return the same with what was kept of the node's state} */
  public RemediationProgress with(KeptEvidence kept) {
    return new RemediationProgress(
        phase, message, milestone, node, bootId, startTime, phaseTime, kept, conditions);
  }

  /** {@return the status of a condition; empty if there is none} */
  public Optional<String> status(String type) {
    return conditions.stream()
        .filter(condition -> condition.type().equals(type))
        .map(RemediationCondition::status)
        .findFirst();
  }

  private RemediationProgress condition(
      String type, String status, String reason, String text, Instant now) {
    List<RemediationCondition> changed = new ArrayList<>();
    Instant since = now.truncatedTo(ChronoUnit.SECONDS);
    for (RemediationCondition known : conditions) {
      if (!known.type().equals(type)) {
        changed.add(known);
      } else if (known.status().equals(status)) {
        since = known.lastTransitionTime();
      }
    }
    changed.add(new RemediationCondition(type, status, reason, text, since));
    return new RemediationProgress(
        phase, message, milestone, node, bootId, startTime, phaseTime, evidence, changed);
  }
}
