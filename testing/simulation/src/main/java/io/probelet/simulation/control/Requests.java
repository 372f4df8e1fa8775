package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.SimulatedApiServer;
import java.time.temporal.ChronoUnit;

/** Writes of a stand-in, which take effect at once. */
final class Requests {
  private static final String MERGE = "application/merge-patch+json";
  private static final String JSON = "application/json";

  private final SimulatedApiServer server;
  private final String who;

  /**
   * Prepares requests.
   *
   * @param who the writer's name
   */
  Requests(SimulatedApiServer server, String who) {
    this.server = server;
    this.who = who;
  }

  /** {@return the current time, as Kubernetes writes it} */
  String now() {
    return server.machine().wall().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  boolean patch(String path, ObjectNode patch) {
    return server.send(who, "PATCH", path, MERGE, patch.toString());
  }

  boolean create(String collection, ObjectNode object) {
    return server.send(who, "POST", collection, JSON, object.toString());
  }

  void replace(String path, ObjectNode object) {
    var _ = server.send(who, "PUT", path, JSON, object.toString());
  }

  void delete(String path) {
    var _ = server.send(who, "DELETE", path, JSON, "");
  }

  /**
   * {@return a copy of the list with a condition; its transition time is now if its status changes}
   */
  ArrayNode with(JsonNode conditions, String type, String status, String reason, String message) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    ObjectNode mine = JsonNodeFactory.instance.objectNode();
    String since = now();
    boolean found = false;
    for (JsonNode each : conditions) {
      if (!each.path("type").asText().equals(type)) {
        list.add(each);
        continue;
      }
      found = true;
      list.add(mine);
      if (each.path("status").asText().equals(status)) {
        since = each.path("lastTransitionTime").asText(since);
      }
    }
    if (!found) {
      list.add(mine);
    }
    mine.put("type", type).put("status", status).put("reason", reason).put("message", message);
    mine.put("lastTransitionTime", since);
    return list;
  }

  /** {@return the status of a condition; empty if there is none} */
  static String status(JsonNode object, String type) {
    for (JsonNode each : object.at("/status/conditions")) {
      if (each.path("type").asText().equals(type)) {
        return each.path("status").asText();
      }
    }
    return "";
  }

  static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  static String uid(JsonNode object) {
    return object.at("/metadata/uid").asText();
  }

  static boolean isDeleting(JsonNode object) {
    return object.path("metadata").hasNonNull("deletionTimestamp");
  }
}
