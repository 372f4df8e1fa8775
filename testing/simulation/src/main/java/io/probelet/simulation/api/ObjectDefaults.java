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
        putIfAbsent(spec, "restartPolicy", "Always");
        if (!spec.has("terminationGracePeriodSeconds")) {
          spec.put("terminationGracePeriodSeconds", USUAL_GRACE);
        }
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

  private static void putIfAbsent(ObjectNode in, String field, String value) {
    if (!in.has(field)) {
      in.put(field, value);
    }
  }

  /** {@return the seconds that a pod's processes get to end} */
  static long grace(ObjectNode pod, JsonNode options) {
    String phase = pod.at("/status/phase").asText();
    if (pod.at("/spec/nodeName").asText("").isEmpty()
        || phase.equals("Succeeded")
        || phase.equals("Failed")) {
      return 0;
    }
    JsonNode wanted = options.path("gracePeriodSeconds");
    return wanted.isNumber()
        ? Math.max(0, wanted.asLong())
        : pod.at("/spec/terminationGracePeriodSeconds").asLong(USUAL_GRACE);
  }
}
