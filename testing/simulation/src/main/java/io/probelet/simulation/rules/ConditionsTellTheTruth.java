package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.CheckBroken;
import io.probelet.simulation.rules.WorldEvent.NodePassed;
import io.probelet.simulation.rules.WorldEvent.NodeProblem;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A condition of a node leads to its remediation, so it must not be made up. */
final class ConditionsTellTheTruth implements Rule {
  /** Types of conditions of others. */
  private static final Set<String> OTHERS =
      Set.of(
          "Ready",
          "MemoryPressure",
          "DiskPressure",
          "PIDPressure",
          "NetworkUnavailable",
          "example.com/other");

  /** Types whose evidence can be read. */
  private static final Set<String> CHECKED =
      Set.of("KernelDeadlock", "ReadonlyFilesystem", "DiskFull");

  /** The last state stays for five minutes (B-5). */
  private static final Duration HELD = Duration.ofMinutes(8);

  /** Checks run every 30 s and must agree, and the condition must be written. */
  private static final Duration DEBOUNCE = Duration.ofMinutes(4);

  private final Set<String> hadProblem = new HashSet<>();
  private final Map<String, NodeProblem> problems = new HashMap<>();

  /** Since when checks cannot be carried out, and when they could again. */
  private final Map<String, Long> broken = new HashMap<>();

  private final Map<String, Long> readable = new HashMap<>();
  private final Facts facts;

  ConditionsTellTheTruth(Facts facts) {
    this.facts = facts;
  }

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
    } else if (event instanceof CheckBroken check) {
      String key = check.node() + " " + check.condition();
      if (check.begins()) {
        broken.put(key, check.at());
      } else {
        broken.remove(key);
        readable.put(key, check.at());
      }
    } else if (event instanceof NodePassed passed && passed.calm().compareTo(DEBOUNCE) > 0) {
      facts
          .object("/api/v1/nodes/" + passed.node())
          .ifPresent(node -> passed(passed, node, findings));
    }
  }

  private void passed(NodePassed passed, JsonNode node, Findings findings) {
    long before = passed.at() - DEBOUNCE.toNanos();
    broken.forEach((key, since) -> {
      if (key.startsWith(passed.node() + " ")
          && since < passed.at() - HELD.toNanos()
          && passed.calm().compareTo(DEBOUNCE) > 0) {
        String type = key.substring(passed.node().length() + 1);
        String shown = ObjectFields.condition(node, type).orElse("missing");
        findings.check(
            this,
            passed.at(),
            !shown.equals("False"),
            () -> "the check for %s does not work, but it is False".formatted(key));
      }
    });
    problems.forEach((key, problem) -> {
      if (problem.node().equals(passed.node())
          && problem.at() < before
          && !broken.containsKey(key)
          && readable.getOrDefault(key, 0L) < before) {
        String shown = ObjectFields.condition(node, problem.condition()).orElse("missing");
        findings.check(
            this,
            passed.at(),
            shown.equals("True"),
            () -> "%s has its problem, but is %s".formatted(key, shown));
      }
    });
  }

  private void written(Written write, JsonNode node, Findings findings) {
    for (JsonNode condition : node.at("/status/conditions")) {
      String type = condition.path("type").asText();
      if (!OTHERS.contains(type) && condition.path("status").asText().equals("True")) {
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
    end.objects()
        .forEach((path, node) -> {
          if (!ObjectFields.kind(node).equals("Node")) {
            return;
          }
          for (JsonNode condition : node.at("/status/conditions")) {
            String type = condition.path("type").asText();
            String status = condition.path("status").asText();
            boolean problem = problems.containsKey(ObjectFields.name(node) + " " + type);
            findings.check(
                this,
                end.at(),
                OTHERS.contains(type)
                    || status.equals(problem ? "True" : "False")
                    || (status.equals("Unknown") && !CHECKED.contains(type)),
                () ->
                    "%s of %s is %s: %s"
                        .formatted(type, path, status, condition.path("message").asText()));
          }
        });
  }
}
