package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the statuses of the objects of a kind, one write at a time per object and rate-limited
 * (RB-2). The status is computed again when a write may be sent. Used only on the loop's thread.
 */
final class ObjectStatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectStatusWriter.class);

  private final Kind kind;
  private final ObjectPatches requests;
  private final StatusPauses pauses;
  private final BiConsumer<String, JsonNode> written;
  private final Runnable again;
  private final Set<String> waiting = new HashSet<>();

  /**
   * Prepares.
   *
   * @param kind of the objects, which are cluster-scoped
   * @param written receives an object after a successful or failed write
   */
  ObjectStatusWriter(
      Kind kind,
      ObjectPatches requests,
      StatusPauses pauses,
      BiConsumer<String, JsonNode> written,
      Runnable again) {
    this.kind = kind;
    this.requests = requests;
    this.pauses = pauses;
    this.written = written;
    this.again = again;
  }

  /** Schedules a write of the fields. */
  void write(String name, JsonNode seen, ObjectNode status) {
    if (waiting.contains(name)) {
      return;
    }
    waiting.add(name);
    Duration wait = pauses.remaining(name);
    if (wait.isPositive()) {
      requests.loop().postAfter(wait, () -> free(name));
    } else {
      send(name, seen, status);
    }
  }

  private void send(String name, JsonNode seen, ObjectNode status) {
    pauses.sent(name);
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    // With a version, so that the API server rejects a write that was delayed until another replica
    // leads (N-1).
    patch.putObject("metadata").put("resourceVersion", Metadata.version(seen));
    patch.set("status", status);
    requests.send(
        kind.path(null, name),
        ApiServer.MERGE_PATCH,
        patch,
        (answer, now) -> answered(name, answer, now));
  }

  private void answered(String name, ApiResult answer, ApiResult now) {
    if (pauses.answered(name, answer)) {
      LOG.info(
          "status not written kind={} object={} reason=\"{}\"",
          kind.kind(),
          name,
          answer.summary());
    }
    if (now instanceof Done(JsonNode body)) {
      written.accept(name, body);
    } else if (now.isNotFound()) {
      pauses.forget(name);
    }
    free(name);
  }

  private void free(String name) {
    waiting.remove(name);
    again.run();
  }
}
