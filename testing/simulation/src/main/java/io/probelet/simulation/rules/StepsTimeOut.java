package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** An escalation that stays at a step that does not help never comes to the one that does. */
final class StepsTimeOut implements Rule {
  private static final String LEASE = Remediations.LEADER_LEASES + "remediation";

  /** A write that fails, a leader that changes, and status writes that wait for their turn. */
  private static final long LATE = Duration.ofMinutes(3).toNanos();

  private final Facts facts;

  /** Since when the step of a remediation is to be given up, and nothing is in the way. */
  private final Map<String, Long> due = new HashMap<>();

  /** When the leader has renewed its lease last. */
  private long renewed;

  StepsTimeOut(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "steps-time-out";
  }

  @Override
  public String reason() {
    return "A step of an escalation that exceeds its timeout is given up, also if it ends slowly"
        + " (R-18).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof Restored) {
      due.clear();
    }
    if (!(event instanceof Written write) || !write.path().equals(LEASE)) {
      return;
    }
    if (write.at() - renewed > Duration.ofSeconds(20).toNanos()) {
      due.clear(); // nobody has led meanwhile
    }
    renewed = write.at();
    Set<JsonNode> overdue =
        Remediations.all(facts)
            .filter(each -> isDue(each, Machine.START.plusNanos(write.at())))
            .collect(Collectors.toSet());
    due.keySet().retainAll(overdue.stream().map(ObjectFields::uid).toList());
    for (JsonNode remediation : overdue) {
      long since = due.computeIfAbsent(ObjectFields.uid(remediation), _ -> write.at());
      findings.check(
          this,
          write.at(),
          write.at() - since < LATE,
          () ->
              "%s of %s was created at %s and has not timed out"
                  .formatted(
                      ObjectFields.kind(remediation),
                      Remediations.node(remediation),
                      created(remediation)));
    }
  }

  private static Instant created(JsonNode object) {
    return Instant.parse(object.at("/metadata/creationTimestamp").asText());
  }

  private boolean isDue(JsonNode remediation, Instant now) {
    Optional<JsonNode> check =
        Remediations.owner(remediation).flatMap(owner -> Remediations.check(facts, owner));
    Optional<JsonNode> node = facts.object("/api/v1/nodes/" + Remediations.node(remediation));
    if (check.isEmpty() || node.isEmpty() || !Remediations.isRunning(remediation)) {
      return false;
    }
    JsonNode status = check.get().path("status");
    Optional<Duration> timeout = timeout(check.get(), remediation);
    return timeout.isPresent()
        && created(remediation).plus(timeout.get()).isBefore(now)
        && status.path("phase").asText().equals("Remediating")
        && isListed(status, node.get())
        && !isHeldBack(check.get(), node.get());
  }

  /** Whether it is unhealthy, and not about to be healthy. */
  private static boolean isListed(JsonNode status, JsonNode node) {
    return ObjectFields.items(status.path("unhealthyNodes"))
        .anyMatch(each ->
            each.path("name").asText().equals(ObjectFields.name(node))
                && !each.hasNonNull("conditionsHealthyTimestamp"));
  }

  private static boolean isHeldBack(JsonNode check, JsonNode node) {
    JsonNode status = check.path("status");
    int observed = status.path("observedNodes").asInt();
    return status.path("healthyNodes").asInt() < Remediations.minHealthy(check, observed)
        || ObjectFields.condition(check, "StormActive").filter("True"::equals).isPresent()
        || node.path("metadata")
            .path("labels")
            .has("remediation.medik8s.io/exclude-from-remediation");
  }

  private static Optional<Duration> timeout(JsonNode check, JsonNode remediation) {
    return ObjectFields.items(check.at("/spec/escalatingRemediations"))
        .filter(step ->
            step.at("/remediationTemplate/kind")
                .asText()
                .equals(ObjectFields.kind(remediation) + "Template"))
        .map(step -> Duration.parse("PT" + step.path("timeout").asText()))
        .max(Duration::compareTo);
  }
}
