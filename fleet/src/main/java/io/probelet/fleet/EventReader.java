package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.WireTime;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.object.KeptFields;
import java.time.Instant;
import java.util.Set;

/** Reads Events of either API about objects without a namespace. */
final class EventReader {
  /** Where Kubernetes writes Events of such objects. Tenants write Events in their own. */
  static final String NAMESPACE = "default";

  /** All that is read. */
  static final KeptFields FIELDS =
      KeptFields.of(
          "/metadata/creationTimestamp",
          "/involvedObject",
          "/type",
          "/reason",
          "/message",
          "/count",
          "/series",
          "/lastTimestamp",
          "/eventTime",
          "/source",
          "/reportingComponent");

  /** Components that write Events about nodes and their remediation. */
  private static final Set<String> COMPONENTS =
      Set.of(
          "kubelet",
          "kube-proxy",
          "node-controller",
          "cloud-node-controller",
          "cloud-node-lifecycle-controller",
          "route_controller",
          "cidrAllocator",
          "cluster-autoscaler",
          "NodeHealthCheck", // node-healthcheck-operator
          EventSource.PROBELET,
          "kernel-monitor", // node-problem-detector's, and ours in its place
          "docker-monitor",
          "systemd-monitor",
          "abrt-adaptor",
          "health-checker");

  private EventReader() {}

  static FleetEvent read(ObjectNode event) {
    JsonNode object = event.path("involvedObject");
    String component = component(event);
    String namespace = event.at("/metadata/namespace").asText("");
    int count = Math.max(event.path("count").asInt(1), event.at("/series/count").asInt(1));
    return new FleetEvent(
        time(event),
        Math.max(1, count),
        event.path("type").asText().equals("Warning"),
        FleetText.of(object.path("kind"), FleetText.WORD),
        FleetText.of(object.path("namespace"), FleetText.NAME),
        FleetText.of(object.path("name"), FleetText.NAME),
        FleetText.of(event.path("reason"), FleetText.WORD),
        FleetText.of(event.path("message"), FleetText.SENTENCE),
        FleetText.of(first(part(event), component), FleetText.NAME),
        FleetText.of(component, FleetText.NAME),
        FleetText.of(namespace, FleetText.NAME),
        namespace.equals(NAMESPACE)
            && object.path("namespace").asText("").isEmpty()
            && COMPONENTS.contains(component));
  }

  private static String part(JsonNode event) {
    return event.at("/source/component").asText("");
  }

  private static String component(JsonNode event) {
    return first(event.path("reportingComponent").asText(""), part(event));
  }

  private static String first(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  /** The latest of what it may say. */
  private static Instant time(JsonNode event) {
    Instant latest = Instant.EPOCH;
    for (JsonNode said :
        new JsonNode[] {
          event.at("/series/lastObservedTime"),
          event.path("lastTimestamp"),
          event.path("eventTime"),
          event.at("/metadata/creationTimestamp")
        }) {
      Instant time = WireTime.read(said);
      if (time != null && time.isAfter(latest)) {
        latest = time;
      }
    }
    return latest;
  }
}
