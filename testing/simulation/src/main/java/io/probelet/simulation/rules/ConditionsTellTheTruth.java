package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.NodeProblem;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A condition of a node leads to its remediation, so it must not be made up. */
final class ConditionsTellTheTruth implements Rule {
  /** Types of conditions that faults have caused. */
  private final Set<String> known = new HashSet<>();

  private final Set<String> hadProblem = new HashSet<>();
  private final Map<String, NodeProblem> problems = new HashMap<>();

  @Override
  public String name() {
    return "conditions-tell-the-truth";
  }

  @Override
  public String reason() {
    return "No condition of a node is True on forged evidence, nor False while its evidence lasts.";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof NodeProblem problem) {
      String key = problem.node() + " " + problem.condition();
      known.add(problem.condition());
      if (problem.begins()) {
        hadProblem.add(key);
        problems.put(key, problem);
      } else {
        problems.remove(key);
      }
    } else if (event instanceof Written write
        && write.process().startsWith("agent")
        && write.after() != null
        && ObjectFields.kind(write.after()).equals("Node")) {
      written(write, write.after(), findings);
    }
  }

  private void written(Written write, JsonNode node, Findings findings) {
    for (JsonNode condition : node.at("/status/conditions")) {
      String type = condition.path("type").asText();
      if (known.contains(type) && condition.path("status").asText().equals("True")) {
        findings.check(
            this,
            write.at(),
            hadProblem.contains(ObjectFields.name(node) + " " + type),
            () ->
                "%s set %s of %s, which has no such problem: %s"
                    .formatted(
                        write.process(),
                        type,
                        ObjectFields.name(node),
                        condition.path("message").asText()));
      }
    }
  }

  @Override
  public void settled(EndState end, Findings findings) {
    for (NodeProblem problem : problems.values()) {
      JsonNode node = end.objects().get("/api/v1/nodes/" + problem.node());
      findings.check(
          this,
          end.at(),
          node == null
              || ObjectFields.condition(node, problem.condition())
                  .filter("True"::equals)
                  .isPresent(),
          () ->
              "%s has %s, but its condition is not True"
                  .formatted(problem.node(), problem.condition()));
    }
  }
}
