package io.probelet.nodehealth.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.ShortText;
import io.probelet.kube.MaintenanceNote;
import io.probelet.kube.Metadata;
import io.probelet.kube.object.KeptFields;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A node as far as its workloads are judged.
 *
 * @param ready whether its kubelet reports it as Ready
 * @param deleting whether it is being deleted
 * @param cordoned whether it takes no new pods
 * @param maintained until when it is in maintenance; null if it is not
 * @param shown the condition {@link #CONDITION} that it has; null if it has none
 */
public record WorkloadNode(
    String name,
    String uid,
    boolean ready,
    boolean deleting,
    boolean cordoned,
    @Nullable Instant maintained,
    @Nullable Shown shown) {
  /** The condition of a Node that says whether workloads fail only there. */
  public static final String CONDITION = "WorkloadsFailing";

  /** The parts of a Node that are read. */
  public static final KeptFields FIELDS =
      KeptFields.of(
          "/metadata/deletionTimestamp",
          "/metadata/annotations/" + MaintenanceNote.ANNOTATION.replace("/", "~1"),
          "/spec/unschedulable",
          "/status/conditions/type",
          "/status/conditions/status",
          "/status/conditions/reason",
          "/status/conditions/message");

  /** The most characters of the condition's message. */
  public static final int MAX_MESSAGE = 1024;

  private static final int MAX_STATUS = 16;
  private static final int MAX_REASON = 128;

  /**
   * The condition on the Node. Its kubelet may write it too, so nothing about other nodes follows
   * from it.
   */
  public record Shown(String status, String reason, String message) {
    static Shown of(JsonNode condition) {
      return new Shown(
          ShortText.of(condition.path("status").asText(), MAX_STATUS),
          ShortText.of(condition.path("reason").asText(), MAX_REASON),
          ShortText.of(condition.path("message").asText(), MAX_MESSAGE + 1));
    }
  }

  /**
   * Reads a node.
   *
   * @param node a Node as JSON
   */
  public static WorkloadNode read(JsonNode node) {
    boolean ready = false;
    Shown shown = null;
    for (JsonNode condition : node.at("/status/conditions")) {
      String type = condition.path("type").asText();
      if (type.equals("Ready")) {
        ready = condition.path("status").asText().equals("True");
      } else if (type.equals(CONDITION)) {
        shown = Shown.of(condition);
      }
    }
    return new WorkloadNode(
        node.at("/metadata/name").asText(),
        Metadata.uid(node),
        ready,
        node.path("metadata").has("deletionTimestamp"),
        node.at("/spec/unschedulable").asBoolean(),
        MaintenanceNote.of(node).map(MaintenanceNote::until).orElse(null),
        shown);
  }

  /** {@return whether a maintenance is on} */
  boolean isMaintained(Instant now) {
    return maintained != null && maintained.isAfter(now);
  }

  /** WE-7: of another node nothing can be learned, for it and for others. */
  boolean isJudged(Instant now) {
    return ready && !deleting && !isMaintained(now);
  }
}
