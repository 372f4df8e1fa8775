package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the server fills in. */
final class ObjectDefaults {
  private static final long USUAL_GRACE = 30;

  private ObjectDefaults() {}

  static void atCreation(ApiKind kind, ObjectNode object) {
    switch (kind.collection()) {
      case ApiKinds.PODS -> {
        ObjectNode spec = object.withObject("/spec");
        spec.putIfAbsent("restartPolicy", spec.textNode("Always"));
        spec.putIfAbsent("terminationGracePeriodSeconds", spec.numberNode(USUAL_GRACE));
        object.putObject("status").put("phase", "Pending");
      }
      case ApiKinds.NAMESPACES -> object.putObject("status").put("phase", "Active");
      default -> {}
    }
    afterChange(kind, object);
  }

  static void afterChange(ApiKind kind, ObjectNode object) {
    if (kind.is(ApiKind.Trait.CUSTOM)) {
      Schema.fill(kind.schema(), object);
    }
  }

  /** {@return the seconds that a pod's processes get to end} */
  static long grace(ObjectNode pod, JsonNode options) {
    if (pod.at("/spec/nodeName").asText("").isEmpty() || ObjectFields.isFinished(pod)) {
      return 0;
    }
    JsonNode wanted = options.path("gracePeriodSeconds");
    return wanted.isNumber()
        ? Math.max(0, wanted.asLong())
        : pod.at("/spec/terminationGracePeriodSeconds").asLong(USUAL_GRACE);
  }
}
