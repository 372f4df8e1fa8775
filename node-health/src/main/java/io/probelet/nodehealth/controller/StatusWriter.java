package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.JsonChanges;
import io.probelet.kube.election.Leadership;
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

  private final StatusRequests requests;
  private final StatusPauses pauses;
  private final BiConsumer<WatchedHealthCheck, ApiResult> refreshed;

  /**
   * Prepares.
   *
   * @param refreshed receives the resource after each write, or as read after a failed one
   */
  StatusWriter(
      StatusRequests requests,
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

  /**
   * Writes statuses beside the loop, during one term of leadership.
   *
   * @param term the term in which it may write
   */
  record StatusRequests(ApiServer api, Leadership term, ReconcileLoop loop) {
    /** Sends a patch of a status. */
    void send(String path, String type, JsonNode patch, BiConsumer<ApiResult, ApiResult> answered) {
      send(path, "/status", type, patch, answered);
    }

    /**
     * Sends a patch; it has no effect after the end of the term.
     *
     * @param subresource such as /status; empty for the object itself
     * @param type of the patch, such as {@link ApiServer#MERGE_PATCH}
     * @param answered receives, on the loop, the response and the object's new state: from the
     *     response, or as read after a failure
     */
    void send(
        String path,
        String subresource,
        String type,
        JsonNode patch,
        BiConsumer<ApiResult, ApiResult> answered) {
      loop.beside(() -> {
        if (term.isOn()) {
          ApiResult answer = api.patch(path + subresource, type, patch);
          ApiResult now = answer instanceof Done ? answer : api.get(path);
          loop.post(() -> answered.accept(answer, now));
        }
      });
    }
  }
}
