package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.maintenance.Maintenance.Planned;
import io.probelet.nodehealth.maintenance.Maintenance.Unreadable;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes the statuses of Maintenances (MW-9). */
final class MaintenanceStatus {
  private static final String ACTIVE = "Active";
  private static final String CHANGED = "lastTransitionTime";

  private MaintenanceStatus() {}

  /**
   * {@return the fields of the status that must change, as a merge patch}
   *
   * @param nodes how many nodes it selects; null if that no longer changes
   */
  static ObjectNode patch(
      Maintenance maintenance, @Nullable Integer nodes, JsonNode object, Instant now) {
    JsonNode seen = object.path("status");
    ObjectNode wanted = JsonNodeFactory.instance.objectNode();
    if (nodes != null) {
      wanted.put("nodes", nodes);
    }
    wanted.putArray("conditions").add(active(maintenance, seen, now));
    if (maintenance.plan() instanceof Planned planned) {
      wanted.put("until", WireTime.seconds(planned.time().until()));
    } else {
      wanted.putNull("until");
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : wanted.properties()) {
      boolean absent = field.getValue().isNull() && !seen.has(field.getKey());
      if (!absent && !field.getValue().equals(seen.get(field.getKey()))) {
        patch.set(field.getKey(), field.getValue());
      }
    }
    return patch;
  }

  private static ObjectNode active(Maintenance maintenance, JsonNode seen, Instant now) {
    ObjectNode condition = condition(maintenance, now);
    JsonNode before = seen.path("conditions").path(0);
    boolean same = before.path("status").asText().equals(condition.path("status").asText());
    return condition.put(
        CHANGED,
        same && before.path(CHANGED).isTextual()
            ? before.path(CHANGED).asText()
            : WireTime.seconds(now));
  }

  private static ObjectNode condition(Maintenance maintenance, Instant now) {
    return switch (maintenance.plan()) {
      case Unreadable(String problem) ->
          condition("Unknown", "InvalidSpec", problem + "; no remediation of its nodes starts");
      case Planned planned when planned.time().isOnAt(now) ->
          condition("True", "InProgress", "in maintenance until " + planned.time().until());
      case Planned planned when now.isBefore(planned.time().from()) ->
          condition("False", "Scheduled", "begins " + planned.time().from());
      case Planned planned -> condition("False", "Over", "ended " + planned.time().until());
    };
  }

  private static ObjectNode condition(String status, String reason, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", ACTIVE)
        .put("status", status)
        .put("reason", reason)
        .put("message", message);
  }
}
