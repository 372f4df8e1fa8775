package io.probelet.agent.cluster.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.cluster.publish.EventBook.Writing;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireTime;

/** Writes single events, so that writing one twice makes no second. */
final class EventWriter {
  private final ApiServer api;
  private final String node;

  EventWriter(ApiServer api, String node) {
    this.api = api;
    this.node = node;
  }

  /** What came of writing an event. */
  sealed interface Written {
    /** It was written, and an earlier life of this agent had told of it so many times. */
    record Told(int before) implements Written {}

    /** It is gone: nothing is there to be updated. */
    record Lost() implements Written {}

    /** Something else has its name. */
    record Taken() implements Written {}

    /** It was not written. */
    record Failed(ApiResult answer) implements Written {}
  }

  /** Creates or updates an event. */
  Written write(Writing writing) {
    String events = "/api/v1/namespaces/" + writing.event().subject().eventNamespace() + "/events";
    String path = events + "/" + writing.name();
    if (!writing.create()) {
      return patch(path, writing, writing.before());
    }
    ApiResult created = api.create(events, whole(writing));
    if (created.isConflict()) {
      return goOn(path, writing);
    }
    return created instanceof Done
        ? new Written.Told(writing.before())
        : new Written.Failed(created);
  }

  /**
   * It is there already: from an earlier life of this agent, or from an attempt whose answer was
   * lost. A patch that changes nothing reads it; a right to read events is not needed for that.
   */
  private Written goOn(String path, Writing writing) {
    ApiResult read = api.patch(path, ApiServer.MERGE_PATCH, JsonNodeFactory.instance.objectNode());
    if (read.isNotFound()) {
      return new Written.Failed(new Unanswered("the event went as it was written"));
    }
    if (read.isForbidden()) {
      return new Written.Taken(); // what another wrote is not ours to change
    }
    if (!(read instanceof Done(JsonNode there))) {
      return new Written.Failed(read);
    }
    if (!isOurs(there, writing.event())) {
      return new Written.Taken();
    }
    int counted = Math.max(0, there.path("count").asInt());
    String last = WireTime.seconds(writing.last());
    if (there.path("lastTimestamp").asText().equals(last) && counted >= writing.count()) {
      return new Written.Told(counted - writing.count());
    }
    return patch(path, writing, counted);
  }

  private boolean isOurs(JsonNode there, ApiEvent event) {
    return there.at("/involvedObject/uid").asText().equals(event.subject().uid())
        && there.path("reason").asText().equals(event.reason())
        && there.path("reportingInstance").asText().equals(node);
  }

  private Written patch(String path, Writing writing, int before) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    counted(patch, writing, before);
    ApiResult patched = api.patch(path, ApiServer.MERGE_PATCH, patch);
    if (patched instanceof Done) {
      return new Written.Told(before);
    }
    return patched.isNotFound() ? new Written.Lost() : new Written.Failed(patched);
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
    if (!subject.fieldPath().isEmpty()) {
      about.put("fieldPath", subject.fieldPath());
    }
    whole.put("type", event.type()).put("reason", event.reason());
    whole.putObject("source").put("component", event.source()).put("host", node);
    whole.put("reportingComponent", ApiEvent.PROBELET).put("reportingInstance", node);
    whole.put("firstTimestamp", WireTime.seconds(writing.first()));
    counted(whole, writing, writing.before());
    return whole;
  }

  private static void counted(ObjectNode event, Writing writing, int before) {
    event.put("message", writing.event().message());
    event.put("count", (int) Math.min(Integer.MAX_VALUE, (long) before + writing.count()));
    event.put("lastTimestamp", WireTime.seconds(writing.last()));
  }
}
