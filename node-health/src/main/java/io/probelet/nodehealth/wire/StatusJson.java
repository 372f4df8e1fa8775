package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A NodeHealthCheck's status. */
public final class StatusJson {
  private StatusJson() {}

  /**
   * Reads a status.
   *
   * @return its values; {@link NodeHealthCheckStatus#NONE} if it is empty
   */
  public static NodeHealthCheckStatus read(JsonNode status) {
    if (!status.isObject() || status.isEmpty()) {
      return NodeHealthCheckStatus.NONE;
    }
    List<UnhealthyNode> nodes = new ArrayList<>();
    status.path("unhealthyNodes").forEach(node -> nodes.add(node(node)));
    List<StatusCondition> conditions = new ArrayList<>();
    status.path("conditions").forEach(condition -> conditions.add(condition(condition)));
    return new NodeHealthCheckStatus(
        status.path("observedNodes").asInt(),
        status.path("healthyNodes").asInt(),
        nodes,
        conditions,
        phase(status.path("phase").asText()),
        status.path("reason").asText(),
        WireTime.read(status.path("lastUpdateTime")));
  }

  /** Writes a status. */
  public static ObjectNode write(NodeHealthCheckStatus status) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object
        .put("observedNodes", status.observedNodes())
        .put("healthyNodes", status.healthyNodes())
        .put("phase", status.phase().label())
        .put("reason", status.reason());
    put(object, "lastUpdateTime", status.lastUpdateTime());
    ArrayNode nodes = object.putArray("unhealthyNodes");
    status.unhealthyNodes().forEach(node -> nodes.add(write(node)));
    ArrayNode conditions = object.putArray("conditions");
    for (StatusCondition condition : status.conditions()) {
      conditions
          .addObject()
          .put("type", condition.type())
          .put("status", condition.active() ? "True" : "False")
          .put("reason", condition.reason())
          .put("message", condition.message())
          .put("lastTransitionTime", WireTime.seconds(condition.lastTransitionTime()));
    }
    return object;
  }

  private static UnhealthyNode node(JsonNode node) {
    List<TrackedRemediation> remediations = new ArrayList<>();
    node.path("remediations").forEach(entry -> remediations.add(remediation(entry)));
    return new UnhealthyNode(
        node.path("name").asText(),
        remediations,
        WireTime.read(node.path("conditionsHealthyTimestamp")),
        node.path("healthyDelayed").asBoolean());
  }

  private static TrackedRemediation remediation(JsonNode entry) {
    JsonNode resource = entry.path("resource");
    return new TrackedRemediation(
        new ObjectRef(
            resource.path("apiVersion").asText(),
            resource.path("kind").asText(),
            RemediationJson.text(resource.path("namespace")),
            resource.path("name").asText()),
        resource.path("uid").asText(),
        Objects.requireNonNullElse(WireTime.read(entry.path("started")), Instant.EPOCH),
        WireTime.read(entry.path("timedOut")),
        RemediationJson.text(entry.path("templateName")));
  }

  private static StatusCondition condition(JsonNode condition) {
    return new StatusCondition(
        condition.path("type").asText(),
        condition.path("status").asText().equals("True"),
        condition.path("reason").asText(),
        condition.path("message").asText(),
        Objects.requireNonNullElse(
            WireTime.read(condition.path("lastTransitionTime")), Instant.EPOCH));
  }

  private static Phase phase(String label) {
    for (Phase phase : Phase.values()) {
      if (phase.label().equals(label)) {
        return phase;
      }
    }
    return Phase.ENABLED;
  }

  private static ObjectNode write(UnhealthyNode node) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("name", node.name());
    if (!node.remediations().isEmpty()) {
      ArrayNode remediations = object.putArray("remediations");
      node.remediations().forEach(entry -> remediations.add(write(entry)));
    }
    put(object, "conditionsHealthyTimestamp", node.conditionsHealthyTimestamp());
    if (node.healthyDelayed()) {
      object.put("healthyDelayed", true);
    }
    return object;
  }

  private static ObjectNode write(TrackedRemediation entry) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    ObjectNode resource = object.putObject("resource");
    resource.put("apiVersion", entry.resource().apiVersion()).put("kind", entry.resource().kind());
    if (entry.resource().namespace() != null) {
      resource.put("namespace", entry.resource().namespace());
    }
    resource.put("name", entry.resource().name()).put("uid", entry.uid());
    object.put("started", WireTime.seconds(entry.started()));
    put(object, "timedOut", entry.timedOut());
    if (entry.templateName() != null) {
      object.put("templateName", entry.templateName());
    }
    return object;
  }

  private static void put(ObjectNode object, String field, @Nullable Instant moment) {
    if (moment != null) {
      object.put(field, WireTime.seconds(moment));
    }
  }
}
