package io.probelet.monitor.node;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.track.ConditionTracker.Problem;
import io.probelet.monitor.track.PodTrace;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened on the node.
 *
 * @param reason the reason in UpperCamelCase
 * @param text the observed text, cleaned and bounded (B-14)
 * @param problem whether it reports a problem
 * @param pod the container it happened to; null if it happened to the node (B-10)
 */
public record NodeEvent(
    String source,
    String reason,
    String text,
    Instant at,
    boolean problem,
    @Nullable PodTrace pod) {
  /**
   * Something that happened to the node itself.
   *
   * @param reason the reason in UpperCamelCase
   * @param problem whether it reports a problem
   */
  public NodeEvent(String source, String reason, String text, Instant at, boolean problem) {
    this(source, reason, text, at, problem, null);
  }

  /** A condition has another status than before. */
  static NodeEvent ofChange(String source, Condition condition, Instant at) {
    return new NodeEvent(
        source,
        condition.reason(),
        text(condition.type(), condition.status(), condition.reason(), condition.message()),
        at,
        condition.status() != ConditionStatus.FALSE);
  }

  /** A problem has begun while the condition was True already (B-16). */
  static NodeEvent ofProblem(String source, String type, Problem problem, Instant at) {
    String text = text(type, ConditionStatus.TRUE, problem.reason(), problem.text());
    return new NodeEvent(source, problem.reason(), text, at, true);
  }

  /** The format of node-problem-detector, which alerts may match. */
  private static String text(String type, ConditionStatus status, String reason, String message) {
    return "Node condition %s is now: %s, reason: %s, message: \"%s\""
        .formatted(type, status, reason, message.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  /** {@return the observed text, with the container if the kernel names it} */
  public String message() {
    return pod == null ? text : messageIn(pod.toString());
  }

  /** {@return the observed text and its place} */
  public String messageIn(String where) {
    return text + "; in " + where;
  }
}
