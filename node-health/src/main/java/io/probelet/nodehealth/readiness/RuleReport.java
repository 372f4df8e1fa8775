package io.probelet.nodehealth.readiness;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.OneLine;
import io.probelet.nodehealth.readiness.ReadinessSpec.Requirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a rule stands to its nodes, for its status and the metrics.
 *
 * @param status the original's status without times, within the limits of NRR-6
 * @param held the nodes with the taint
 * @param released the nodes without it
 * @param omitted the nodes that the status leaves out
 * @param conflict another rule with the same taint that contradicts this one; empty if there is
 *     none on any node
 */
public record RuleReport(ObjectNode status, int held, int released, int omitted, String conflict) {
  /** The most nodes with their conditions in a status. */
  static final int MAX_EVALUATIONS = 500;

  /** The most names of nodes in a status, as in the original's definition. */
  static final int MAX_APPLIED = 5_000;

  /** The most failures in a status. */
  static final int MAX_FAILED = 100;

  /** The most characters of the evaluations, and of the names. */
  static final int MAX_EVALUATION_CHARS = 128 * 1024;

  static final int MAX_APPLIED_CHARS = 64 * 1024;

  private static final int MAX_MESSAGE = 512;

  /** Of one condition in a status, besides its names. */
  private static final int CHARS = 100;

  private static final String NODE_NAME = "nodeName";

  /** Each list of a status, in which every node has an entry once. */
  private static final String APPLIED = "appliedNodes";

  private static final String FAILED = "failedNodes";
  private static final String EVALUATIONS = "nodeEvaluations";
  private static final String DRY_RUN = "dryRunResults";

  /**
   * A write to a node that failed.
   *
   * @param reason one word, as the original has it
   * @param message one line
   */
  public record Failure(String reason, String message) {}

  /**
   * Sums up a rule.
   *
   * @param rule a valid rule
   * @param rules all rules
   * @param nodes all nodes of the cluster, in the order of the status
   * @param failures the last failure of each node for which a write failed, by its name
   */
  public static RuleReport of(
      NodeReadinessRule rule,
      ReadinessSpec spec,
      RuleSet rules,
      Collection<ReadinessNode> nodes,
      Map<String, Failure> failures) {
    TaintId taint = TaintId.of(spec.taint());
    List<ReadinessNode> own =
        nodes.stream().filter(node -> spec.selector().matches(node.labels())).toList();
    int held = (int) own.stream().filter(node -> node.has(taint)).count();
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("observedGeneration", rule.generation());
    for (String field : new String[] {APPLIED, FAILED, EVALUATIONS, DRY_RUN}) {
      status.putNull(field); // a merge patch then removes what is there
    }
    if (spec.dryRun()) {
      status.set(DRY_RUN, dryRun(rule, spec, own));
      return new RuleReport(status, held, own.size() - held, 0, "");
    }
    List<NodeReadinessRule> contradicting = contradicting(rule, spec, rules);
    String conflict = "";
    ArrayNode failed = JsonNodeFactory.instance.arrayNode();
    ArrayNode applied = JsonNodeFactory.instance.arrayNode();
    int chars = 0;
    for (ReadinessNode node : own) {
      Failure failure = failures.get(node.name());
      Optional<NodeReadinessRule> other = selecting(contradicting, node);
      if (other.isPresent()) {
        conflict = other.get().name();
        failure = new Failure("ConflictingRule", conflictText(other.get(), taint));
      }
      if (failure == null) {
        chars += node.name().length();
        if (applied.size() < MAX_APPLIED && chars <= MAX_APPLIED_CHARS) {
          applied.add(node.name());
        }
      } else if (failed.size() < MAX_FAILED) {
        failed
            .addObject()
            .put(NODE_NAME, node.name())
            .put("reason", failure.reason())
            .put("message", OneLine.of(failure.message(), MAX_MESSAGE));
      }
    }
    ArrayNode evaluations = evaluations(spec, taint, own);
    set(status, APPLIED, applied);
    set(status, FAILED, failed);
    set(status, EVALUATIONS, evaluations);
    int omitted = own.size() - evaluations.size();
    return new RuleReport(status, held, own.size() - held, omitted, conflict);
  }

  private static void set(ObjectNode status, String field, ArrayNode list) {
    if (!list.isEmpty()) {
      status.set(field, list);
    }
  }

  /** {@return the status with a time of evaluation} */
  public ObjectNode statusAt(String time) {
    ObjectNode timed = status.deepCopy();
    for (String list : new String[] {FAILED, EVALUATIONS}) {
      timed.path(list).forEach(each -> ((ObjectNode) each).put("lastEvaluationTime", time));
    }
    return timed;
  }

  /** NRR-4: rules that give one taint two values, or that no node can satisfy together. */
  private static List<NodeReadinessRule> contradicting(
      NodeReadinessRule rule, ReadinessSpec spec, RuleSet rules) {
    TaintId taint = TaintId.of(spec.taint());
    return rules.valid().stream()
        .filter(other -> !other.name().equals(rule.name()) && !other.deleting())
        .filter(other -> other.spec().filter(theirs -> conflicts(spec, taint, theirs)).isPresent())
        .toList();
  }

  private static boolean conflicts(ReadinessSpec spec, TaintId taint, ReadinessSpec other) {
    return !other.dryRun()
        && taint.is(other.taint())
        && (!other.taint().equals(spec.taint()) || spec.contradicts(other));
  }

  private static Optional<NodeReadinessRule> selecting(
      List<NodeReadinessRule> rules, ReadinessNode node) {
    return rules.stream()
        .filter(
            rule -> rule.spec().filter(spec -> spec.selector().matches(node.labels())).isPresent())
        .findFirst();
  }

  private static String conflictText(NodeReadinessRule other, TaintId taint) {
    return "rule %s has the same taint %s with another value or contrary conditions"
        .formatted(other.name(), taint);
  }

  /** Nodes that wait come first, because they are what users look for. */
  private static ArrayNode evaluations(
      ReadinessSpec spec, TaintId taint, List<ReadinessNode> nodes) {
    List<ReadinessNode> waiting = new ArrayList<>();
    List<ReadinessNode> others = new ArrayList<>();
    for (ReadinessNode node : nodes) {
      List<ReadinessNode> group = node.has(taint) || !spec.isMetBy(node) ? waiting : others;
      if (group.size() < MAX_EVALUATIONS) {
        group.add(node);
      }
    }
    List<ReadinessNode> inOrder =
        Stream.concat(waiting.stream(), others.stream()).limit(MAX_EVALUATIONS).toList();
    int each =
        spec.conditions().stream().mapToInt(condition -> CHARS + condition.type().length()).sum();
    ArrayNode evaluations = JsonNodeFactory.instance.arrayNode();
    int chars = 0;
    for (ReadinessNode node : inOrder) {
      chars += CHARS + node.name().length() + each;
      if (chars > MAX_EVALUATION_CHARS) {
        break;
      }
      ObjectNode evaluation = evaluations.addObject().put(NODE_NAME, node.name());
      ArrayNode results = evaluation.putArray("conditionResults");
      spec.conditions().forEach(condition -> results.add(result(condition, node)));
      evaluation.put("taintStatus", node.has(taint) ? "Present" : "Absent");
    }
    return evaluations;
  }

  private static ObjectNode result(Requirement condition, ReadinessNode node) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", condition.type())
        .put(
            "currentStatus",
            node.conditions().getOrDefault(condition.type(), ReadinessSpec.UNKNOWN))
        .put("requiredStatus", condition.requiredStatus())
        .put("defaultStatus", condition.defaultStatus());
  }

  private static ObjectNode dryRun(
      NodeReadinessRule rule, ReadinessSpec spec, List<ReadinessNode> nodes) {
    TaintId taint = TaintId.of(spec.taint());
    int adds = 0;
    int removes = 0;
    int missing = 0;
    for (ReadinessNode node : nodes) {
      boolean met = spec.isMetBy(node);
      boolean completed = spec.bootstrapOnly() && node.isCompleted(rule);
      if (!met && !completed && !node.has(taint)) {
        adds++;
      } else if (met && node.has(taint)) {
        removes++;
      }
      if (spec.conditions().stream()
          .anyMatch(condition -> !node.conditions().containsKey(condition.type()))) {
        missing++;
      }
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("affectedNodes", nodes.size())
        .put("taintsToAdd", adds)
        .put("taintsToRemove", removes)
        .put("riskyOperations", missing)
        .put(
            "summary",
            "the rule selects %d nodes: %d would get the taint, %d would lose it, %d lack a condition"
                .formatted(nodes.size(), adds, removes, missing));
  }
}
