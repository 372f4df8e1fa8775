package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.kernel.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the rules of node remediation say about a NodeHealthCheck at a moment, computed from the
 * objects alone. It is plain instead of fast, and shares no code with the controllers.
 */
final class HealthModel {
  private static final String TEMPLATE_NAME = "remediation.medik8s.io/template-name";
  private static final String EXCLUDE = "remediation.medik8s.io/exclude-from-remediation";

  private final Facts facts;
  private final JsonNode check;
  private final Instant now;
  private final List<JsonNode> nodes;

  /** The health of a node. */
  enum Health {
    HEALTHY,
    SOON,
    UNHEALTHY,
    UNREPORTED
  }

  /**
   * Looks at a NodeHealthCheck.
   *
   * @param at the moment, in nanoseconds since the beginning
   */
  HealthModel(Facts facts, JsonNode check, long at) {
    this.facts = facts;
    this.check = check;
    this.now = Machine.START.plusNanos(at);
    this.nodes = facts.all("Node").toList();
  }

  JsonNode check() {
    return check;
  }

  String name() {
    return ObjectFields.name(check);
  }

  Instant now() {
    return now;
  }

  List<JsonNode> nodes() {
    return nodes;
  }

  Health health(JsonNode node) {
    boolean soon = false;
    for (JsonNode unhealthy : check.at("/spec/unhealthyConditions")) {
      for (JsonNode condition : node.at("/status/conditions")) {
        if (condition.path("type").equals(unhealthy.path("type"))
            && condition.path("status").equals(unhealthy.path("status"))) {
          Instant since = Instant.parse(condition.path("lastTransitionTime").asText());
          if (since.plus(duration(unhealthy.path("duration"))).isBefore(now)) {
            return Health.UNHEALTHY;
          }
          soon = true;
        }
      }
    }
    if (soon) {
      return Health.SOON;
    }
    return ObjectFields.condition(node, "Ready").isPresent() ? Health.HEALTHY : Health.UNREPORTED;
  }

  static Duration duration(JsonNode text) {
    return Duration.parse("PT" + text.asText("0s"));
  }

  /** Its remediations of a node. */
  List<JsonNode> ours(String node) {
    return Remediations.all(facts)
        .filter(each -> Remediations.owner(each).orElseThrow().equals(name()))
        .filter(each -> Remediations.node(each).equals(node))
        .toList();
  }

  /** How many nodes are healthy and have no remediation left. */
  long healthy() {
    return nodes.stream()
        .filter(node -> health(node) == Health.HEALTHY && ours(ObjectFields.name(node)).isEmpty())
        .count();
  }

  boolean isPaused() {
    return !check.at("/spec/pauseRequests").isEmpty();
  }

  boolean isDisabled() {
    return has("Disabled");
  }

  /** Whether a condition of its status is True. */
  boolean has(String condition) {
    return ObjectFields.condition(check, condition).filter("True"::equals).isPresent();
  }

  /** Whether all templates that it names exist. */
  boolean hasTemplates() {
    return steps().stream()
        .allMatch(step ->
            facts
                .all(step.at("/remediationTemplate/kind").asText())
                .anyMatch(template ->
                    ObjectFields.name(template)
                        .equals(step.at("/remediationTemplate/name").asText())));
  }

  /** Whether too few nodes are healthy. */
  boolean isBelowMinimum() {
    return healthy() < Remediations.minHealthy(check, nodes.size());
  }

  /** Whether nothing may begin on a node, nor be given up. */
  boolean isWithheld(JsonNode node) {
    return isPaused()
        || isDisabled()
        || isBelowMinimum()
        || has("StormActive")
        || has("StormCooldownActive")
        || node.path("metadata").path("labels").path(EXCLUDE).asText().equals("true");
  }

  /** The steps of the escalation in their order; a single template is one without a timeout. */
  List<JsonNode> steps() {
    JsonNode spec = check.path("spec");
    return spec.has("escalatingRemediations")
        ? ObjectFields.items(spec.path("escalatingRemediations"))
            .sorted((one, other) ->
                Integer.compare(one.path("order").asInt(), other.path("order").asInt()))
            .toList()
        : List.of(spec);
  }

  /** The first step that was not given up for a node. */
  Optional<JsonNode> current(String node) {
    return steps().stream().filter(step -> !isGivenUp(node, step)).findFirst();
  }

  private boolean isGivenUp(String node, JsonNode step) {
    return ObjectFields.items(check.at("/status/unhealthyNodes"))
        .filter(each -> each.path("name").asText().equals(node))
        .flatMap(each -> ObjectFields.items(each.path("remediations")))
        .filter(entry -> entry.hasNonNull("timedOut"))
        .anyMatch(entry ->
            isOf(step, entry.at("/resource/kind").asText())
                && (!entry.hasNonNull("templateName")
                    || entry
                        .path("templateName")
                        .asText()
                        .equals(step.at("/remediationTemplate/name").asText())));
  }

  private static boolean isOf(JsonNode step, String kind) {
    return step.at("/remediationTemplate/kind").asText().equals(kind + "Template");
  }

  /** Whether a remediation is that of a step. */
  static boolean belongs(JsonNode remediation, JsonNode step) {
    return isOf(step, ObjectFields.kind(remediation))
        && ObjectFields.annotation(remediation, TEMPLATE_NAME)
            .map(step.at("/remediationTemplate/name").asText()::equals)
            .orElse(true);
  }

  /** Whether a remediation, also of another owner, is in the way of that of a step. */
  static boolean blocks(JsonNode remediation, JsonNode step) {
    boolean sameName = ObjectFields.name(remediation).equals(Remediations.node(remediation));
    return belongs(remediation, step) || (sameName && isOf(step, ObjectFields.kind(remediation)));
  }

  /** Whether a policy may forbid a further node (ACT-70 to ACT-80); in doubt it does. */
  boolean isHeldByPolicy(String node) {
    List<String> remediated = Remediations.all(facts).map(Remediations::node).distinct().toList();
    return facts
        .all("RemediationPolicy")
        .anyMatch(policy -> {
          JsonNode spec = policy.path("spec");
          boolean full =
              spec.has("maxNodes")
                  && !remediated.contains(node)
                  && remediated.size() + 1 > spec.path("maxNodes").asInt();
          return full || spec.path("paused").asBoolean() || spec.has("maxPerHour");
        });
  }

  /** The lease of a node, if it exists. */
  Optional<JsonNode> lease(String node) {
    return facts.object(Remediations.NODE_LEASES + node);
  }

  boolean isOurs(JsonNode lease) {
    return lease.at("/spec/holderIdentity").asText().equals("NodeHealthCheck-" + name());
  }
}
