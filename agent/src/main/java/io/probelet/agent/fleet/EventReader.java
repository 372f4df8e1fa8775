package io.probelet.agent.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.WireTime;
import java.time.Instant;

/** Reads Events of either API. */
final class EventReader {
  private EventReader() {}

  static FleetEvent read(ObjectNode event) {
    JsonNode object = event.path("involvedObject");
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
        source(event));
  }

  private static String source(JsonNode event) {
    String old = event.at("/source/component").asText("");
    return FleetText.of(
        old.isEmpty() ? event.path("reportingComponent").asText("") : old, FleetText.NAME);
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
