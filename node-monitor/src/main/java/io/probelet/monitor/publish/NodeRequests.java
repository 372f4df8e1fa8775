package io.probelet.monitor.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.OneLine;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireTime;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Requests for the Node object. All requests of an agent go to the status subresource, which also
 * accepts metadata. Permission on the status alone does not allow changes of taints or of the rest
 * of the spec.
 */
final class NodeRequests {
  /** The most characters of a condition's reason, as in the agents' admission policy. */
  static final int MAX_REASON = 128;

  /** The most characters of a condition's message, as in the agents' admission policy. */
  static final int MAX_MESSAGE = 1024;

  private final ApiServer api;
  private final String path;
  private final String status;

  NodeRequests(ApiServer api, String name) {
    this.api = api;
    path = "/api/v1/nodes/" + name;
    status = path + "/status";
  }

  /** Reads the whole Node, with permission to get its status. */
  ApiResult get() {
    return api.get(status);
  }

  /** Changes conditions and metadata in one request. */
  ApiResult patch(ObjectNode change) {
    return api.patch(status, ApiServer.STRATEGIC_PATCH, change);
  }

  /** Changes any field; requires permission to patch nodes. */
  ApiResult patchAll(ObjectNode change) {
    return api.patch(path, ApiServer.MERGE_PATCH, change);
  }

  /**
   * Creates the strategic merge patch of a status: keyed by type, it leaves other conditions
   * unchanged.
   */
  static ObjectNode statusPatch(Collection<Condition> said, Collection<String> gone, Instant now) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = root.putObject("status").putArray("conditions");
    for (Condition condition : said) {
      conditions
          .addObject()
          .put("type", condition.type())
          .put("status", condition.status().toString())
          .put("reason", OneLine.of(condition.reason(), MAX_REASON))
          .put("message", OneLine.of(condition.message(), MAX_MESSAGE))
          .put("lastTransitionTime", WireTime.seconds(condition.lastTransitionTime()))
          .put("lastHeartbeatTime", WireTime.seconds(now));
    }
    for (String type : gone) {
      conditions.addObject().put("$patch", "delete").put("type", type);
    }
    return root;
  }

  /** The conditions of a Node that are of these types. */
  static List<Condition> conditions(JsonNode node, Set<String> types) {
    return StreamSupport.stream(node.at("/status/conditions").spliterator(), false)
        .filter(condition -> types.contains(condition.path("type").asText()))
        .map(NodeRequests::condition)
        .toList();
  }

  /** Others may write invalid times there; these are ignored. */
  private static ConditionStatus status(String text) {
    try {
      return ConditionStatus.parse(text);
    } catch (IllegalArgumentException foreign) {
      return ConditionStatus.UNKNOWN;
    }
  }

  private static Condition condition(JsonNode found) {
    Instant since =
        Objects.requireNonNullElse(WireTime.read(found.path("lastTransitionTime")), Instant.EPOCH);
    return new Condition(
        found.path("type").asText(),
        status(found.path("status").asText()),
        since,
        since,
        found.path("reason").asText(),
        found.path("message").asText(),
        List.of());
  }
}
