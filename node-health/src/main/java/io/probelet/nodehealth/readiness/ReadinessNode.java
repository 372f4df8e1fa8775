package io.probelet.nodehealth.readiness;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A node as far as rules are about it.
 *
 * @param labels all of its labels
 * @param conditions the status of each condition by its type: True, False or Unknown
 * @param taints all of its taints, in their order
 * @param annotated whether it has any annotation
 * @param completions the annotations that say which rules are done with it
 * @param marks the taints that rules took charge of, as {@link #MARKS} lists them (NRR-7)
 */
public record ReadinessNode(
    String name,
    String uid,
    Map<String, String> labels,
    Map<String, String> conditions,
    List<NodeTaint> taints,
    boolean annotated,
    Set<String> completions,
    Set<String> marks) {
  /** Annotation of a node: the taints that rules took charge of, separated by commas. */
  public static final String MARKS = "probelet.io/readiness-taints";

  /** The most conditions read; further ones count as missing. */
  static final int MAX_CONDITIONS = 500;

  /** The most marks read; more than there are rules. */
  static final int MAX_MARKS = 200;

  private static final Set<String> STATUSES = Set.of("True", "False", "Unknown");

  /** Keeps unmodifiable copies. */
  public ReadinessNode {
    labels = Map.copyOf(labels);
    conditions = Map.copyOf(conditions);
    taints = List.copyOf(taints);
    completions = Set.copyOf(completions);
    marks = Set.copyOf(marks);
  }

  /**
   * Reads a node. Its kubelet may write its labels, annotations and conditions, so each has limits.
   *
   * @param node a Node as JSON
   */
  public static ReadinessNode read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    Map<String, String> labels = new HashMap<>();
    metadata
        .path("labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    List<NodeTaint> taints = new ArrayList<>();
    for (JsonNode taint : node.at("/spec/taints")) {
      taints.add(NodeTaint.of(taint));
    }
    JsonNode annotations = metadata.path("annotations");
    Set<String> completions = new TreeSet<>();
    annotations
        .fieldNames()
        .forEachRemaining(name -> {
          if (NodeReadinessRule.isCompletion(name)) {
            completions.add(name);
          }
        });
    return new ReadinessNode(
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        labels,
        conditions(node.at("/status/conditions")),
        taints,
        !annotations.isEmpty(),
        completions,
        marks(annotations.path(MARKS).asText("")));
  }

  private static Map<String, String> conditions(JsonNode list) {
    Map<String, String> conditions = new HashMap<>();
    for (JsonNode condition : list) {
      if (conditions.size() == MAX_CONDITIONS) {
        break;
      }
      String status = condition.path("status").asText();
      conditions.putIfAbsent(
          condition.path("type").asText(),
          STATUSES.contains(status) ? status : ReadinessSpec.UNKNOWN);
    }
    return conditions;
  }

  /** Never another's taint, whatever the annotation says. */
  private static Set<String> marks(String text) {
    Set<String> marks = new LinkedHashSet<>();
    for (String each : text.split(",", MAX_MARKS + 1)) {
      TaintId id = TaintId.parse(each);
      if (id != null && marks.size() < MAX_MARKS) {
        marks.add(id.toString());
      }
    }
    return marks;
  }

  boolean has(TaintId id) {
    return taints.stream().anyMatch(id::is);
  }

  boolean isCompleted(NodeReadinessRule rule) {
    return completions.contains(rule.completion()) || completions.contains(rule.oldCompletion());
  }
}
