package io.probelet.nodehealth.tape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.resource.WireNames;
import java.util.List;

/** A NodeHealthCheck or Maintenance in the form of a tape (TP-8). */
public final class RecordedCheck {
  private RecordedCheck() {}

  private static final List<String> READ =
      List.of(WireNames.NEVER_READY_AFTER, WireNames.SETTLE, WireNames.UNHEALTHY_WHEN);

  /**
   * Extracts the parts of a NodeHealthCheck, or of a Maintenance, that a tape contains.
   *
   * @return the resource without its status, and only with annotations that a plan reads
   */
  public static JsonNode of(JsonNode check) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.set("apiVersion", check.path("apiVersion"));
    object.set("kind", check.path("kind"));
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", check.at("/metadata/name").asText());
    metadata.put("uid", Metadata.uid(check));
    JsonNode annotations = check.path("metadata").path("annotations");
    for (String read : READ) {
      if (annotations.path(read).isTextual()) {
        metadata.withObject("/annotations").set(read, annotations.get(read));
      }
    }
    if (check.has("spec")) {
      object.set("spec", check.get("spec"));
    }
    return object;
  }
}
