package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.OneLine;
import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.policy.PolicyLimits.Unreadable;
import io.probelet.nodehealth.policy.PolicyNode;
import io.probelet.nodehealth.remediation.HoldReason.ByPolicy;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Computes the statuses of policies. */
record PolicyStatus(
    Map<String, NavigableMap<String, PolicyHold>> held, List<PolicyNode> atWork, Instant now) {
  private static final int MAX_WOULD = 100;

  /** The limit in the CRD. */
  private static final int MAX_PROBLEM = 4096;

  private static final String RECENT = "recent";
  private static final String WOULD = "wouldRemediate";

  static PolicyStatus of(
      Collection<WatchedHealthCheck> checks, List<PolicyNode> atWork, Instant now) {
    Map<String, NavigableMap<String, PolicyHold>> held = new HashMap<>();
    for (WatchedHealthCheck check : checks) {
      check
          .memory()
          .nodes()
          .forEach((node, reason) -> {
            if (reason instanceof ByPolicy(PolicyHold hold)) {
              held.computeIfAbsent(hold.policy(), _ -> new TreeMap<>()).put(node, hold);
            }
          });
    }
    return new PolicyStatus(held, atWork, now);
  }

  /**
   * Computes the fields of the status that must change.
   *
   * @param forget keys of its history to remove
   * @return a merge patch
   */
  ObjectNode patch(PolicyFacts.State state, JsonNode object, List<String> forget) {
    JsonNode seen = object.path("status");
    ObjectNode wanted = wanted(state);
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : wanted.properties()) {
      boolean absent = field.getValue().isNull() && !seen.has(field.getKey());
      if (!absent && !field.getValue().equals(seen.get(field.getKey()))) {
        patch.set(field.getKey(), field.getValue());
      }
    }
    forget.forEach(key -> patch.withObject("/" + RECENT).putNull(key));
    return patch;
  }

  private ObjectNode wanted(PolicyFacts.State state) {
    NavigableMap<String, PolicyHold> holds =
        held.getOrDefault(state.policy().name(), new TreeMap<>());
    ObjectNode wanted = JsonNodeFactory.instance.objectNode();
    wanted.put("nodes", state.selectedNodes());
    wanted.put(
        "remediating", (int) atWork.stream().filter(node -> node.isOf(state.policy())).count());
    wanted.put("held", holds.size());
    wanted.put("lastHour", state.lastHour(now).size());
    wanted.put(
        "problem",
        state.policy().limits() instanceof Unreadable(String problem)
            ? OneLine.of(problem, MAX_PROBLEM)
            : null);
    ArrayNode would = JsonNodeFactory.instance.arrayNode();
    holds.values().stream()
        .filter(PolicyHold.DryRun.class::isInstance)
        .map(PolicyHold.DryRun.class::cast)
        .limit(MAX_WOULD)
        .forEach(dry -> would.add(dry.kind() + " " + dry.node()));
    if (would.isEmpty()) {
      wanted.putNull(WOULD);
    } else {
      wanted.set(WOULD, would);
    }
    return wanted;
  }
}
