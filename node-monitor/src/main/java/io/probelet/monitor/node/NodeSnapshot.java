package io.probelet.monitor.node;

import io.probelet.health.Condition;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.track.ConditionHistory;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The state of a node at one moment.
 *
 * @param conditions the conditions, in the order of the files
 * @param details the details of each condition, by type
 * @param events the newest events, oldest first
 * @param problemCounts how often each reason came up since the start
 * @param problems whether each rule of a condition holds; also the healthy reason of a plugin's
 *     condition, which never does
 * @param waiting the number of queued pieces of evidence
 */
public record NodeSnapshot(
    List<Condition> conditions,
    Map<String, ConditionDetail> details,
    List<ConditionSpec> specs,
    List<NodeEvent> events,
    Map<String, Long> problemCounts,
    List<Problem> problems,
    List<SourceView> sources,
    int waiting) {
  /** A node without monitoring. */
  public static final NodeSnapshot NONE =
      new NodeSnapshot(
          List.of(), Map.of(), List.of(), List.of(), Map.of(), List.of(), List.of(), 0);

  /** Keeps unmodifiable copies of the collections. */
  public NodeSnapshot {
    conditions = List.copyOf(conditions);
    details = Map.copyOf(details);
    specs = List.copyOf(specs);
    events = List.copyOf(events);
    problemCounts = Map.copyOf(problemCounts);
    problems = List.copyOf(problems);
    sources = List.copyOf(sources);
  }

  /**
   * Whether a rule of a condition holds.
   *
   * @param reason the rule's reason, or the healthy one
   * @param holds whether it holds
   */
  public record Problem(String type, String reason, boolean holds) {}

  /**
   * The details of a condition (B-18).
   *
   * @param evidence the current problems, in the order of the rules, at most {@link #MAX_EVIDENCE}
   */
  public record ConditionDetail(ConditionHistory history, List<Found> evidence) {
    /** The most problems shown per condition. */
    public static final int MAX_EVIDENCE = 16;

    /** Keeps an unmodifiable copy of the first problems. */
    public ConditionDetail {
      evidence = List.copyOf(evidence.subList(0, Math.min(MAX_EVIDENCE, evidence.size())));
    }

    /**
     * A problem that a monitor has found.
     *
     * @param reason the reason in UpperCamelCase
     * @param device the device it is about; empty if it is about none
     * @param since when it began, on the wall clock
     */
    public record Found(
        String source, String reason, String device, String message, Instant since) {}
  }
}
