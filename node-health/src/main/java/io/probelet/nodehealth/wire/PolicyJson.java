package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.RemediationPolicy;
import java.util.ArrayList;
import java.util.List;

/** The histories of policies in their statuses. */
public final class PolicyJson {
  private static final String STATUS = "status";
  private static final String RECENT = "recent";

  private PolicyJson() {}

  /**
   * Reads a policy's history.
   *
   * @return the entries; invalid ones are skipped
   */
  public static List<PastRemediation> recent(JsonNode policy) {
    List<PastRemediation> entries = new ArrayList<>();
    policy
        .path(STATUS)
        .path(RECENT)
        .properties()
        .forEach(entry ->
            PastRemediation.read(entry.getKey(), entry.getValue().asText())
                .ifPresent(entries::add));
    return entries;
  }

  /** Writes a patch that adds an entry. It names no version, because entries do not conflict. */
  public static ObjectNode counted(PastRemediation entry) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject(STATUS).putObject(RECENT).put(entry.key(), entry.kind());
    return patch;
  }

  /**
   * Writes a patch that removes an approval from a node, which fails if the annotation has changed.
   *
   * @param left the remaining approvals; empty to remove the annotation
   */
  public static ArrayNode approvalTaken(String annotated, String left) {
    String path = "/metadata/annotations/" + RemediationPolicy.APPROVED.replace("/", "~1");
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "test").put("path", path).put("value", annotated);
    if (left.isEmpty()) {
      patch.addObject().put("op", "remove").put("path", path);
    } else {
      patch.addObject().put("op", "replace").put("path", path).put("value", left);
    }
    return patch;
  }
}
