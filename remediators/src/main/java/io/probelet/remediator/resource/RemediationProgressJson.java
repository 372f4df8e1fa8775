package io.probelet.remediator.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.WireTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The status of a remediation, as it is in the resource. */
public final class RemediationProgressJson {
  private static final int MAX_CONDITIONS = 16;

  private RemediationProgressJson() {}

  /**
   * Reads a status.
   *
   * @param status the field of the resource; a missing node if it has none
   * @return the status; {@link RemediationProgress#NONE} of a remediation that has none. A phase
   *     that is unknown, of a later version as it may be, counts as failed: what was begun there
   *     must not begin again (ACT-2).
   */
  public static RemediationProgress read(JsonNode status) {
    if (status.isMissingNode() || status.isNull() || status.isEmpty()) {
      return RemediationProgress.NONE;
    }
    String label = status.path("phase").asText();
    RemediationPhase phase =
        label.isEmpty()
            ? RemediationPhase.PENDING
            : RemediationPhase.parse(label).orElse(RemediationPhase.FAILED);
    return new RemediationProgress(
        phase,
        status.path("message").asText(),
        Milestone.read(status, phase),
        status.path("node").asText(),
        status.path("bootID").asText(),
        WireTime.read(status.path("startTime")),
        WireTime.read(status.path("phaseTime")),
        evidence(status.path("evidence")),
        conditions(status.path("conditions")));
  }

  /**
   * Writes a status, each field of it: what is absent is null, so that a merge patch removes it.
   */
  public static ObjectNode write(RemediationProgress status) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("phase", status.phase().label());
    json.put("message", status.message());
    json.set("progress", status.milestone().write());
    json.put("node", absentIfEmpty(status.node()));
    json.put("bootID", absentIfEmpty(status.bootId()));
    json.put("startTime", time(status.startTime()));
    json.put("phaseTime", time(status.phaseTime()));
    KeptEvidence evidence = status.evidence();
    if (evidence == null) {
      json.putNull("evidence");
    } else {
      json.set("evidence", write(evidence));
    }
    ArrayNode conditions = json.putArray("conditions");
    for (RemediationCondition condition : status.conditions()) {
      conditions
          .addObject()
          .put("type", condition.type())
          .put("status", condition.status())
          .put("reason", condition.reason())
          .put("message", condition.message())
          .put("lastTransitionTime", WireTime.seconds(condition.lastTransitionTime()));
    }
    return json;
  }

  /**
   * Writes what was kept of a node's state.
   *
   * @return the field of a remediation's or an order's status
   */
  public static ObjectNode write(KeptEvidence evidence) {
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    kept.put("name", evidence.name()).put("sha256", evidence.sha256());
    kept.put("bytes", evidence.bytes());
    ArrayNode lines = kept.putArray("digest");
    evidence.digest().forEach(lines::add);
    return kept;
  }

  /**
   * Reads what was kept of a node's state.
   *
   * @param json the field of a remediation's or an order's status
   * @return what was kept; null if nothing was
   */
  public static @Nullable KeptEvidence evidence(JsonNode json) {
    if (!json.path("name").isTextual()) {
      return null;
    }
    List<String> lines = new ArrayList<>();
    for (JsonNode line : json.path("digest")) {
      if (lines.size() == KeptEvidence.MAX_LINES) {
        break;
      }
      lines.add(line.asText());
    }
    return new KeptEvidence(
        json.path("name").asText(),
        json.path("sha256").asText(),
        json.path("bytes").asLong(),
        lines);
  }

  private static List<RemediationCondition> conditions(JsonNode json) {
    List<RemediationCondition> conditions = new ArrayList<>();
    for (JsonNode condition : json) {
      if (conditions.size() == MAX_CONDITIONS) {
        break;
      }
      conditions.add(
          new RemediationCondition(
              condition.path("type").asText(),
              condition.path("status").asText(),
              condition.path("reason").asText(),
              condition.path("message").asText(),
              Objects.requireNonNullElse(
                  WireTime.read(condition.path("lastTransitionTime")), Instant.EPOCH)));
    }
    return conditions;
  }

  private static @Nullable String absentIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }

  private static @Nullable String time(@Nullable Instant moment) {
    return moment == null ? null : WireTime.seconds(moment);
  }
}
