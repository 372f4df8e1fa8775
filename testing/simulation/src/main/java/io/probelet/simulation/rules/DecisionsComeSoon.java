package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.HealthModel.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A controller that waits for the next event, or has forgotten something, decides late or never.
 */
final class DecisionsComeSoon implements Rule {
  /** The planner waits up to 10 s for nodes to settle. */
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Facts facts;
  private final Calm calm = new Calm("remediation");
  private final Overdue overdue = new Overdue();

  DecisionsComeSoon(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "decisions-come-soon";
  }

  @Override
  public String reason() {
    return "While neither API server nor controllers are disturbed, all that the rules of node"
        + " remediation demand is done within seconds (R-3 to R-18).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof WorldEvent.Disturbed || event instanceof WorldEvent.Restored) {
      overdue.clear();
    }
    if (calm.isAt(event)) {
      facts
          .all("NodeHealthCheck")
          .forEach(check -> look(new HealthModel(facts, check, event.at())));
      overdue.check(this, event.at(), findings);
    }
  }

  private void due(HealthModel model, String what) {
    overdue.note(model.name() + ": " + what, SOON);
  }

  private void look(HealthModel model) {
    if (model.isDisabled()) {
      if (model.hasTemplates()) {
        due(model, "is disabled although all its templates exist");
      }
      return;
    }
    if (!model.hasTemplates()) {
      return;
    }
    boolean paused = model.check().at("/status/phase").asText().equals("Paused");
    if (paused != model.isPaused()) {
      due(model, "shows the phase " + model.check().at("/status/phase").asText());
    }
    if (model.isPaused()) {
      return;
    }
    for (JsonNode node : model.nodes()) {
      node(model, node, model.health(node));
    }
    orphans(model);
    leases(model);
    status(model);
  }

  private void node(HealthModel model, JsonNode node, Health health) {
    String name = ObjectFields.name(node);
    if (health == Health.HEALTHY) {
      ended(model, name);
    } else if (health == Health.UNHEALTHY && !model.isWithheld(node)) {
      remediated(model, name);
    }
  }

  /** A node that is healthy again loses its remediations. */
  private void ended(HealthModel model, String node) {
    String delay = model.check().at("/spec/healthyDelay").asText("0s");
    if (delay.startsWith("-")) {
      return; // until someone confirms it
    }
    for (JsonNode remediation : model.ours(node)) {
      if (!ObjectFields.isDeleting(remediation)) {
        overdue.note(
            "%s: %s %s stays although %s is healthy"
                .formatted(
                    model.name(),
                    ObjectFields.kind(remediation),
                    ObjectFields.uid(remediation),
                    node),
            SOON.plus(Duration.parse("PT" + delay)));
      }
    }
  }

  /** */
  private void remediated(HealthModel model, String node) {
    List<JsonNode> ours = model.ours(node);
    Optional<JsonNode> step = model.current(node);
    boolean another =
        ours.stream()
            .anyMatch(
                each -> model.steps().stream().noneMatch(of -> HealthModel.belongs(each, of)));
    if (step.isEmpty() || another) {
      return;
    }
    Optional<JsonNode> remediation =
        ours.stream().filter(each -> HealthModel.belongs(each, step.get())).findFirst();
    if (remediation.isPresent()) {
      givenUp(model, node, step.get(), remediation.get());
      return;
    }
    boolean blocked =
        Remediations.all(facts)
            .filter(each -> Remediations.node(each).equals(node))
            .anyMatch(each -> HealthModel.blocks(each, step.get()));
    boolean taken = model.lease(node).filter(lease -> !model.isOurs(lease)).isPresent();
    if (!blocked && !taken && !model.isHeldByPolicy(node)) {
      due(model, node + " is unhealthy and has no remediation");
    }
  }

  private void givenUp(HealthModel model, String node, JsonNode step, JsonNode remediation) {
    if (!step.hasNonNull("timeout")) {
      return;
    }
    Instant created = Instant.parse(remediation.at("/metadata/creationTimestamp").asText());
    boolean expired =
        created.plus(HealthModel.duration(step.path("timeout"))).isBefore(model.now());
    boolean failed =
        ObjectFields.condition(remediation, "Succeeded").filter("False"::equals).isPresent();
    if (expired || failed) {
      due(
          model,
          "%s %s of %s %s and is not given up"
              .formatted(
                  ObjectFields.kind(remediation),
                  ObjectFields.uid(remediation),
                  node,
                  failed ? "has failed" : "has exceeded its timeout"));
    }
  }

  /** A remediation of a node that is gone goes as well. */
  private void orphans(HealthModel model) {
    Remediations.all(facts)
        .filter(each -> Remediations.owner(each).orElseThrow().equals(model.name()))
        .filter(each -> !ObjectFields.isDeleting(each))
        .filter(each ->
            ObjectFields.condition(each, "PermanentNodeDeletionExpected")
                .filter("True"::equals)
                .isEmpty())
        .filter(each -> !exists(Remediations.node(each)))
        .forEach(each -> due(model, "%s stays without node".formatted(ObjectFields.uid(each))));
  }

  private boolean exists(String node) {
    return facts.object("/api/v1/nodes/" + node).isPresent();
  }

  /** The lease of a node that needs nothing is released. */
  private void leases(HealthModel model) {
    facts
        .objects()
        .forEach((path, lease) -> {
          if (path.startsWith(Remediations.NODE_LEASES) && model.isOurs(lease)) {
            String name = path.substring(Remediations.NODE_LEASES.length());
            Optional<JsonNode> node = facts.object("/api/v1/nodes/" + name);
            if (node.map(model::health).orElse(Health.HEALTHY) == Health.HEALTHY
                && model.ours(name).isEmpty()) {
              due(model, "holds the lease of %s, which needs nothing".formatted(name));
            }
          }
        });
  }

  /** The status shows what is so. */
  private void status(HealthModel model) {
    JsonNode status = model.check().path("status");
    List<String> listed = names(status);
    for (JsonNode node : model.nodes()) {
      String name = ObjectFields.name(node);
      Health health = model.health(node);
      if (health == Health.UNHEALTHY && !listed.contains(name)) {
        due(model, "does not list " + name);
      }
      if (health == Health.HEALTHY && listed.contains(name) && model.ours(name).isEmpty()) {
        due(model, "lists " + name + ", which is healthy");
      }
    }
    listed.stream()
        .filter(name -> !exists(name) && model.ours(name).isEmpty())
        .forEach(name -> due(model, "lists " + name + ", which does not exist"));
    boolean reported =
        model.nodes().stream().noneMatch(node -> model.health(node) == Health.UNREPORTED);
    if (reported && status.path("healthyNodes").asLong() != model.healthy()) {
      due(model, "does not show that %d nodes are healthy".formatted(model.healthy()));
    }
    if (reported && status.path("observedNodes").asInt() != model.nodes().size()) {
      due(model, "does not show that there are %d nodes".formatted(model.nodes().size()));
    }
    storm(model);
  }

  /** A storm ends once enough nodes are healthy, after its cooldown. */
  private void storm(HealthModel model) {
    if (model.isBelowMinimum()) {
      return;
    }
    Duration cooldown = HealthModel.duration(model.check().at("/spec/stormCooldownDuration"));
    Stream.of("StormActive", "StormCooldownActive")
        .filter(model::has)
        .forEach(condition ->
            overdue.note(
                "%s: shows %s although enough nodes are healthy".formatted(model.name(), condition),
                SOON.plus(cooldown).plus(cooldown)));
  }

  private static List<String> names(JsonNode status) {
    return ObjectFields.items(status.path("unhealthyNodes"))
        .map(each -> each.path("name").asText())
        .toList();
  }
}
