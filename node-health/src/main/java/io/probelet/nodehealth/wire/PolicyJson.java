package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.RemediationPolicy;
import java.util.ArrayList;
import java.util.List;

/** What policies remember, in their status. */
public final class PolicyJson {
  private static final String STATUS = "status";
  private static final String RECENT = "recent";

  private PolicyJson() {}

  /**
   * Reads what a policy remembers.
   *
   * @return the entries; what is no entry is passed over
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

  /**
   * Writes a patch that adds an entry. It names no version, as entries do not exclude each other.
   */
  public static ObjectNode counted(PastRemediation entry) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject(STATUS).putObject(RECENT).put(entry.key(), entry.kind());
    return patch;
  }

  /**
   * Writes a patch that takes an approval off a node, refused unless the annotation is as it was
   * read.
   *
   * @param left what is left of it; empty to remove the annotation
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
