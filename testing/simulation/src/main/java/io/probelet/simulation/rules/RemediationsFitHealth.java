package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.HealthModel.Health;
import io.probelet.simulation.rules.WorldEvent.Disturbed;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Remediators act on creation, and stop on deletion. */
final class RemediationsFitHealth implements Rule {
  /** What was decided this long before is still carried out. */
  private static final long LATE = Duration.ofSeconds(20).toNanos();

  /** A controller that was frozen carries out what it had decided before. */
  private static final long AFTER = Duration.ofSeconds(60).toNanos();

  private final Facts facts;
  private final Map<String, Long> changed = new HashMap<>();
  private int disturbances;
  private long disturbed = -AFTER;

  RemediationsFitHealth(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "remediations-fit-health";
  }

  @Override
  public String reason() {
    return "A remediation is created only for an unhealthy node, and deleted only once its node is"
        + " healthy or gone (R-4 to R-9, N-1).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    switch (event) {
      case Disturbed(long at, boolean begins) -> {
        disturbances += begins ? 1 : -1;
        disturbed = at;
      }
      case Restored restored -> disturbed = restored.at() + AFTER;
      case Written write -> written(write, findings);
      default -> {}
    }
  }

  private void written(Written write, Findings findings) {
    JsonNode before = write.before();
    JsonNode after = write.after();
    JsonNode object = after == null ? before : after;
    if (object == null) {
      return;
    }
    String kind = ObjectFields.kind(object);
    if (kind.equals("Node") || kind.equals("NodeHealthCheck")) {
      if (before == null || after == null || !said(before).equals(said(after))) {
        changed.put(ObjectFields.name(object), write.at());
      }
      return;
    }
    if (!write.process().startsWith("controller")
        || disturbances > 0
        || write.at() - disturbed < AFTER
        || Remediations.owner(object).isEmpty()) {
      return;
    }
    if (before == null) {
      Optional<Health> health = health(write, object);
      findings.check(
          this,
          write.at(),
          health.isEmpty() || health.get() == Health.UNHEALTHY,
          () ->
              "%s created %s for a node that is %s"
                  .formatted(write.process(), write.path(), health));
    } else if (!ObjectFields.isDeleting(before)
        && (after == null || ObjectFields.isDeleting(after))) {
      Optional<Health> health = health(write, object);
      findings.check(
          this,
          write.at(),
          health.isEmpty() || health.get() == Health.HEALTHY,
          () ->
              "%s deleted %s of a node that is %s"
                  .formatted(write.process(), write.path(), health));
    }
  }

  /** What decides about health: the spec of a check, or the conditions of a node. */
  private static Object said(JsonNode object) {
    if (ObjectFields.kind(object).equals("NodeHealthCheck")) {
      return object.path("spec");
    }
    TreeSet<String> conditions = new TreeSet<>();
    for (JsonNode each : object.at("/status/conditions")) {
      conditions.add(each.path("type").asText() + each.path("status").asText());
    }
    return conditions;
  }

  /** The health of its node, if that has been so for a while. */
  private Optional<Health> health(Written write, JsonNode remediation) {
    String name = Remediations.node(remediation);
    String owner = Remediations.owner(remediation).orElseThrow();
    Optional<JsonNode> node = facts.object("/api/v1/nodes/" + name);
    Optional<JsonNode> check = Remediations.check(facts, owner);
    boolean settled =
        write.at() - changed.getOrDefault(name, 0L) > LATE
            && write.at() - changed.getOrDefault(owner, 0L) > LATE;
    return settled && node.isPresent() && check.isPresent()
        ? Optional.of(new HealthModel(facts, check.get(), write.at()).health(node.get()))
        : Optional.empty();
  }
}
