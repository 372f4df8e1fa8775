package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Limits keep a mistake, or an outage, from taking down more nodes than a cluster can spare. */
final class RemediationsStayLimited implements Rule {
  /** A controller may not know yet what was changed this short a time ago. */
  private static final long UNSEEN = Duration.ofSeconds(15).toNanos();

  private final Facts facts;
  private final Map<String, Long> changed = new HashMap<>();

  RemediationsStayLimited(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "remediations-stay-limited";
  }

  @Override
  public String reason() {
    return "The number of nodes under remediation never exceeds any limit, counted over controller"
        + " changes (R-10, ACT-78).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (!(event instanceof Written write) || write.after() == null) {
      return;
    }
    JsonNode after = write.after();
    String kind = ObjectFields.kind(after);
    if (kind.equals("RemediationPolicy") || kind.equals("NodeHealthCheck")) {
      if (write.before() == null || !write.before().path("spec").equals(after.path("spec"))) {
        changed.put(write.path(), write.at());
      }
    } else if (write.before() == null) {
      Remediations.owner(after).ifPresent(check -> created(write, after, check, findings));
    }
  }

  private void created(Written write, JsonNode remediation, String check, Findings findings) {
    String node = Remediations.node(remediation);
    Set<String> others =
        Remediations.all(facts)
            .filter(each -> !each.equals(remediation))
            .map(Remediations::node)
            .collect(Collectors.toSet());
    if (others.contains(node)) {
      return; // the next step of a node takes no further node
    }
    for (JsonNode policy : facts.all("RemediationPolicy").toList()) {
      JsonNode limit = policy.at("/spec/maxNodes");
      if (limit.isInt()
          && known("/apis/probelet.io/v1alpha1/remediationpolicies/", policy, write)) {
        findings.check(
            this,
            write.at(),
            others.size() + 1 <= limit.asInt(),
            () ->
                "%s created %s, so that %d nodes are remediated, while policy %s allows %s"
                    .formatted(
                        write.process(),
                        write.path(),
                        others.size() + 1,
                        ObjectFields.name(policy),
                        limit));
      }
    }
    Remediations.check(facts, check)
        .filter(
            each -> known("/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks/", each, write))
        .ifPresent(each -> enoughHealthy(write, each, findings));
  }

  private boolean known(String folder, JsonNode object, Written write) {
    return changed.getOrDefault(folder + ObjectFields.name(object), 0L) < write.at() - UNSEEN;
  }

  /** Counts a node as healthy unless its condition has surely expired, in favor of the planner. */
  private void enoughHealthy(Written write, JsonNode check, Findings findings) {
    List<JsonNode> nodes = facts.all("Node").toList();
    int minimum = Remediations.minHealthy(check, nodes.size());
    Instant now = Machine.START.plusNanos(write.at());
    long healthy = nodes.stream().filter(node -> !isUnhealthy(node, check, now)).count();
    findings.check(
        this,
        write.at(),
        healthy >= minimum,
        () ->
            "%s created %s while only %d of %d nodes are healthy, and %d must be"
                .formatted(write.process(), write.path(), healthy, nodes.size(), minimum));
  }

  private static boolean isUnhealthy(JsonNode node, JsonNode check, Instant now) {
    for (JsonNode unhealthy : check.at("/spec/unhealthyConditions")) {
      Duration length =
          Duration.parse("PT" + unhealthy.path("duration").asText()).plusNanos(UNSEEN);
      for (JsonNode condition : node.at("/status/conditions")) {
        if (condition.path("type").equals(unhealthy.path("type"))
            && condition.path("status").equals(unhealthy.path("status"))
            && Instant.parse(condition.path("lastTransitionTime").asText())
                .plus(length)
                .isBefore(now)) {
          return true;
        }
      }
    }
    return false;
  }
}
