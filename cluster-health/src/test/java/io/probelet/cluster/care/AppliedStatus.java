package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** What an API server makes of what is applied to a status: what is others' stays where it is. */
final class AppliedStatus {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> LISTS = List.of("conditions", "constraints");

  private static final String OPERATION = "lastOperation";

  private ObjectNode json = JSON.createObjectNode();
  private ObjectNode last = JSON.createObjectNode();

  /** {@return what stands there, to be changed at will} */
  ObjectNode json() {
    return json.deepCopy();
  }

  /** {@return what was applied last} */
  JsonNode last() {
    return last;
  }

  /** Puts something else in its place; {@return it as it is read} */
  CareStatus put(ObjectNode other) {
    try {
      json = (ObjectNode) JSON.readTree(other.toString()); // numbers as they come over the wire
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return CareStatusJson.read(json);
  }

  /** Applies a status; {@return what stands there then as it is read} */
  CareStatus apply(CareStatus status) {
    ObjectNode ours = CareStatusJson.applied(status, json);
    ObjectNode next = json.deepCopy();
    last.fieldNames()
        .forEachRemaining(field -> {
          if (!ours.has(field) && last.get(field).equals(json.get(field))) {
            next.remove(field);
          }
        });
    next.setAll(ours);
    if (ours.has(OPERATION) && !last.path(OPERATION).equals(json.path(OPERATION))) {
      ObjectNode others = json.withObject("/" + OPERATION).deepCopy();
      next.set(OPERATION, others.setAll((ObjectNode) ours.get(OPERATION)));
    }
    for (String list : LISTS) {
      next.set(list, merged(list, ours));
    }
    last = ours;
    return put(next);
  }

  private ArrayNode merged(String list, ObjectNode ours) {
    List<String> mine = ours.path(list).findValuesAsText("type");
    List<String> before = last.path(list).findValuesAsText("type");
    List<JsonNode> entries = new ArrayList<>();
    for (JsonNode entry : json.path(list)) {
      String type = entry.path("type").asText();
      if (!mine.contains(type) && !before.contains(type)) {
        entries.add(entry);
      }
    }
    ours.path(list).forEach(entries::add);
    return JSON.createArrayNode().addAll(entries);
  }
}
