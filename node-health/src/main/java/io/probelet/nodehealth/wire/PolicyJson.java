package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.RemediationPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The histories of policies in their statuses. */
public final class PolicyJson {
  private static final String STATUS = "status";
  private static final String RECENT = "recent";

  private PolicyJson() {}

  /**
   * A history as it is kept: as a tree, 100,000 entries would take more than a controller's heap.
   *
   * @param entries the valid ones
   * @param foreign keys that are not ours, or not as we write them, in order
   */
  private record Recent(List<PastRemediation> entries, List<String> foreign) {
    static Recent of(JsonNode recent) {
      if (recent instanceof POJONode packed && packed.getPojo() instanceof Recent read) {
        return read;
      }
      List<PastRemediation> entries = new ArrayList<>();
      List<String> foreign = new ArrayList<>();
      for (Map.Entry<String, JsonNode> entry : recent.properties()) {
        Optional<PastRemediation> past =
            PastRemediation.read(entry.getKey(), entry.getValue().asText());
        past.ifPresent(entries::add);
        if (past.filter(read -> read.key().equals(entry.getKey())).isEmpty()) {
          foreign.add(entry.getKey());
        }
      }
      foreign.sort(null);
      return new Recent(List.copyOf(entries), List.copyOf(foreign));
    }
  }

  /**
   * Reads a policy's history.
   *
   * @return the entries; invalid ones are skipped
   */
  public static List<PastRemediation> recent(JsonNode policy) {
    return Recent.of(policy.path(STATUS).path(RECENT)).entries();
  }

  /** {@return keys of a policy's history that are not ours, or not as we write them, in order} */
  public static List<String> foreign(JsonNode policy) {
    return Recent.of(policy.path(STATUS).path(RECENT)).foreign();
  }

  /** {@return a policy whose history takes little memory; for {@link #recent}, not to be sent} */
  public static ObjectNode packed(JsonNode policy) {
    ObjectNode packed = JsonNodeFactory.instance.objectNode();
    packed.setAll((ObjectNode) policy);
    if (policy.path(STATUS) instanceof ObjectNode status && status.has(RECENT)) {
      ObjectNode copy = packed.putObject(STATUS);
      copy.setAll(status);
      copy.putPOJO(RECENT, Recent.of(status.path(RECENT)));
    }
    return packed;
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
