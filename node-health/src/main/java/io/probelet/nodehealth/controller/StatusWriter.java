package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.JsonChanges;
import io.probelet.nodehealth.controller.WatchedHealthCheck.StatusRecord;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.wire.StatusJson;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes statuses, rate-limited per NodeHealthCheck and only if they changed (RB-2). Used only on
 * the loop's thread.
 */
final class StatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

  private final ObjectPatches requests;
  private final StatusPauses pauses;
  private final BiConsumer<WatchedHealthCheck, ApiResult> refreshed;

  /**
   * Prepares.
   *
   * @param refreshed receives the resource after each write, or as read after a failed one
   */
  StatusWriter(
      ObjectPatches requests,
      StatusPauses pauses,
      BiConsumer<WatchedHealthCheck, ApiResult> refreshed) {
    this.requests = requests;
    this.pauses = pauses;
    this.refreshed = refreshed;
  }

  /** Schedules a write of the status. */
  void write(WatchedHealthCheck check) {
    StatusRecord record = check.record();
    if (record.isConfirmed() || record.isUnderWay()) {
      return;
    }
    Duration wait = pauses.remaining(check.uid());
    record.send();
    if (wait.isPositive()) {
      requests.loop().postAfter(wait, () -> send(check));
    } else {
      send(check);
    }
  }

  void forget(WatchedHealthCheck check) {
    pauses.forget(check.uid());
  }

  private void send(WatchedHealthCheck check) {
    pauses.sent(check.uid());
    NodeHealthCheckStatus status = check.record().decided();
    // With a version, so that the API server rejects a write that was delayed until another replica
    // leads (N-1).
    ArrayNode patch =
        new JsonChanges()
            .version(check.record().version())
            .add("/status", StatusJson.write(status))
            .patch();
    requests.send(
        Kind.CHECK.path(null, check.name()),
        ApiServer.JSON_PATCH,
        patch,
        (answer, now) -> answered(check, status, answer, now));
  }

  private void answered(
      WatchedHealthCheck check, NodeHealthCheckStatus status, ApiResult answer, ApiResult now) {
    if (pauses.answered(check.uid(), answer)) {
      LOG.info(
          "status not written nodehealthcheck={} reason=\"{}\"", check.name(), answer.summary());
    }
    if (answer instanceof Done(JsonNode body)) {
      check.record().sent(status, body.at("/metadata/resourceVersion").asText());
    } else {
      check.record().notSent();
    }
    refreshed.accept(check, now);
  }
}
