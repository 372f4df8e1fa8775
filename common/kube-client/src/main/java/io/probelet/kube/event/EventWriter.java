package io.probelet.kube.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireTime;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Writes single Events idempotently. */
final class EventWriter {
  private final ApiServer api;
  private final EventSource source;
  private final BooleanSupplier mayWrite;

  /** Creates a writer; {@code mayWrite} is checked before every request. */
  EventWriter(ApiServer api, EventSource source, BooleanSupplier mayWrite) {
    this.api = api;
    this.source = source;
    this.mayWrite = mayWrite;
  }

  /** The result of writing an Event. */
  sealed interface Outcome {
    /** It was written, with the count of earlier processes. */
    record Written(int before) implements Outcome {}

    /** It no longer exists and cannot be updated. */
    record Gone() implements Outcome {}

    /** Its name is taken. */
    record NameTaken() implements Outcome {}

    /** It was not written. */
    record Failed(ApiResult result) implements Outcome {}
  }

  /** Creates or updates an Event. */
  Outcome write(PendingEvent pending) {
    String events = "/api/v1/namespaces/" + pending.namespace() + "/events";
    String path = events + "/" + pending.name();
    if (!pending.create()) {
      return update(path, pending, pending.before());
    }
    ApiResult created = ifAllowed(() -> api.create(events, whole(pending)));
    if (created.isConflict()) {
      return continueExisting(path, pending);
    }
    return created instanceof Done
        ? new Outcome.Written(pending.before())
        : new Outcome.Failed(created);
  }

  private ApiResult ifAllowed(Supplier<ApiResult> request) {
    return mayWrite.getAsBoolean() ? request.get() : new Unanswered("lost leadership");
  }

  /**
   * It already exists: from an earlier process, or from an attempt whose response was lost. An
   * empty patch reads it, without permission to read events.
   */
  private Outcome continueExisting(String path, PendingEvent pending) {
    ApiResult read = patch(path, JsonNodeFactory.instance.objectNode());
    if (read.isNotFound()) {
      return new Outcome.Failed(new Unanswered("the event was deleted while it was being updated"));
    }
    if (read.isForbidden() && !read.isMissingPermission()) {
      return new Outcome.NameTaken(); // the policy forbids changing events of others
    }
    if (!(read instanceof Done(JsonNode existing))) {
      return new Outcome.Failed(read);
    }
    if (!isOurs(existing, pending.event())) {
      return new Outcome.NameTaken();
    }
    int counted = Math.max(0, existing.path("count").asInt());
    String last = WireTime.seconds(pending.last());
    if (existing.path("lastTimestamp").asText().equals(last) && counted >= pending.count()) {
      return new Outcome.Written(counted - pending.count());
    }
    return update(path, pending, counted);
  }

  private boolean isOurs(JsonNode existing, ApiEvent event) {
    return existing.at("/involvedObject/uid").asText().equals(event.object().uid())
        && existing.path("reason").asText().equals(event.reason())
        && source.wrote(existing);
  }

  private Outcome update(String path, PendingEvent pending, int before) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    putCount(patch, pending, before);
    ApiResult patched = patch(path, patch);
    if (patched instanceof Done) {
      return new Outcome.Written(before);
    }
    return patched.isNotFound() ? new Outcome.Gone() : new Outcome.Failed(patched);
  }

  private ApiResult patch(String path, ObjectNode patch) {
    return ifAllowed(() -> api.patch(path, ApiServer.MERGE_PATCH, patch));
  }

  private ObjectNode whole(PendingEvent pending) {
    ApiEvent event = pending.event();
    InvolvedObject object = event.object();
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.put("apiVersion", "v1").put("kind", "Event");
    whole
        .putObject("metadata")
        .put("name", pending.name())
        .put("namespace", object.eventNamespace());
    ObjectNode involved = whole.putObject("involvedObject");
    involved.put("apiVersion", object.apiVersion()).put("kind", object.kind());
    if (!object.namespace().isEmpty()) {
      involved.put("namespace", object.namespace());
    }
    involved.put("name", object.name()).put("uid", object.uid());
    if (!object.fieldPath().isEmpty()) {
      involved.put("fieldPath", object.fieldPath());
    }
    whole.put("type", event.type()).put("reason", event.reason());
    ObjectNode from = whole.putObject("source").put("component", event.source());
    if (!source.host().isEmpty()) {
      from.put("host", source.host());
    }
    whole.put("reportingComponent", source.component()).put("reportingInstance", source.instance());
    whole.put("firstTimestamp", WireTime.seconds(pending.first()));
    putCount(whole, pending, pending.before());
    return whole;
  }

  private static void putCount(ObjectNode event, PendingEvent pending, int before) {
    event.put("message", pending.event().message());
    event.put("count", (int) Math.min(Integer.MAX_VALUE, (long) before + pending.count()));
    event.put("lastTimestamp", WireTime.seconds(pending.last()));
  }
}
