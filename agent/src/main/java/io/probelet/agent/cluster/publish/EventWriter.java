package io.probelet.agent.cluster.publish;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.cluster.publish.EventBook.Writing;
import io.probelet.nodehealth.api.Answer;
import io.probelet.nodehealth.api.Answer.Unanswered;
import io.probelet.nodehealth.api.ApiServer;
import io.probelet.nodehealth.wire.WireTime;

/** Writes single events, so that writing one twice makes no second. */
final class EventWriter {
  private final ApiServer api;
  private final String node;

  EventWriter(ApiServer api, String node) {
    this.api = api;
    this.node = node;
  }

  /** Creates or updates an event; one that was to be updated and exists no more is not found. */
  Answer write(Writing writing) {
    String events = "/api/v1/namespaces/" + writing.event().subject().eventNamespace() + "/events";
    if (!writing.create()) {
      return patch(events, writing);
    }
    Answer created = api.create(events, whole(writing));
    if (!created.isConflict()) {
      return created;
    }
    Answer patched = patch(events, writing); // an earlier attempt did come through
    return patched.isNotFound() ? new Unanswered("the event went as it was written") : patched;
  }

  private Answer patch(String events, Writing writing) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    counted(patch, writing);
    return api.patch(events + "/" + writing.name(), ApiServer.MERGE_PATCH, patch);
  }

  private ObjectNode whole(Writing writing) {
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
    whole.put("firstTimestamp", WireTime.seconds(writing.first()));
    counted(whole, writing);
    return whole;
  }

  private static void counted(ObjectNode event, Writing writing) {
    event.put("message", writing.event().message());
    event.put("count", writing.count());
    event.put("lastTimestamp", WireTime.seconds(writing.last()));
  }
}
