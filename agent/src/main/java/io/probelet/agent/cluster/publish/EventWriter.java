package io.probelet.agent.cluster.publish;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.cluster.api.ApiException;
import io.probelet.agent.cluster.api.ApiServer;
import io.probelet.agent.cluster.publish.EventBook.Writing;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes single events, so that writing one twice makes no second. */
final class EventWriter {
  private final ApiServer api;
  private final String node;

  EventWriter(ApiServer api, String node) {
    this.api = api;
    this.node = node;
  }

  /**
   * Creates or updates an event.
   *
   * @return false when it was to be updated and exists no more
   */
  boolean write(Writing writing) throws ApiException, InterruptedException {
    String events = "/api/v1/namespaces/" + writing.event().subject().eventNamespace() + "/events";
    if (!writing.create()) {
      return patch(events, writing);
    }
    try {
      api.create(events, whole(writing));
      return true;
    } catch (ApiException refused) {
      if (refused.conflict()) { // an earlier attempt did come through
        return patch(events, writing);
      }
      throw refused;
    }
  }

  private boolean patch(String events, Writing writing) throws ApiException, InterruptedException {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    counted(patch, writing);
    try {
      api.send(
          "PATCH", events + "/" + writing.name(), "application/merge-patch+json", patch.toString());
      return true;
    } catch (ApiException refused) {
      if (refused.notFound()) {
        return false;
      }
      throw refused;
    }
  }

  private String whole(Writing writing) {
    ApiEvent event = writing.event();
    EventSubject subject = event.subject();
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.put("apiVersion", "v1").put("kind", "Event");
    whole
        .putObject("metadata")
        .put("name", writing.name())
        .put("namespace", subject.eventNamespace());
    ObjectNode about = whole.putObject("involvedObject");
    about.put("apiVersion", "v1").put("kind", subject.kind());
    if (!subject.namespace().isEmpty()) {
      about.put("namespace", subject.namespace());
    }
    about.put("name", subject.name()).put("uid", subject.uid());
    if (!subject.container().isEmpty()) {
      about.put("fieldPath", "spec.containers{" + subject.container() + "}");
    }
    whole.put("type", event.type()).put("reason", event.reason());
    whole.putObject("source").put("component", event.source()).put("host", node);
    whole.put("reportingComponent", ApiEvent.PROBELET).put("reportingInstance", node);
    whole.put("firstTimestamp", time(writing.first()));
    counted(whole, writing);
    return whole.toString();
  }

  private static void counted(ObjectNode event, Writing writing) {
    event.put("message", writing.event().message());
    event.put("count", writing.count());
    event.put("lastTimestamp", time(writing.last()));
  }

  private static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
