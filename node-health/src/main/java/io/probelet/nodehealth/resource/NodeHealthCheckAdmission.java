package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Which changes of a NodeHealthCheck are denied (NHC-21). */
public final class NodeHealthCheckAdmission {
  private static final String RUNNING = "prohibited due to running remediation";
  private static final List<String> FROZEN =
      List.of("selector", "remediationTemplate", "escalatingRemediations");

  private NodeHealthCheckAdmission() {}

  /**
   * Judges a new resource.
   *
   * @param resource the resource
   * @param kinds what is known about templates
   * @return why it is denied; empty if it is not
   */
  public static List<Finding> create(JsonNode resource, TemplateKinds kinds) {
    return refusals(NodeHealthCheckReader.ofNew(kinds).read(resource).findings());
  }

  /**
   * Judges a change.
   *
   * @param before the resource as it is
   * @param after the resource as it is to be
   * @param kinds what is known about templates
   * @return why it is denied; empty if it is not
   */
  public static List<Finding> update(JsonNode before, JsonNode after, TemplateKinds kinds) {
    boolean selectsAll = before.path("spec").path("selector").isEmpty();
    NodeHealthCheckReader reader =
        selectsAll ? NodeHealthCheckReader.ofExisting(kinds) : NodeHealthCheckReader.ofNew(kinds);
    List<Finding> denials = new ArrayList<>(refusals(reader.read(after).findings()));
    if (isRemediating(before)) {
      for (String field : FROZEN) {
        if (!before.path("spec").path(field).equals(after.path("spec").path(field))) {
          denials.add(new Finding(List.of("spec", field), true, "update " + RUNNING));
        }
      }
    }
    return denials;
  }

  /**
   * Judges a deletion.
   *
   * @param resource the resource
   * @return why it is denied; empty if it is not
   */
  public static List<Finding> delete(JsonNode resource) {
    return isRemediating(resource)
        ? List.of(new Finding(List.of(), true, "deletion " + RUNNING))
        : List.of();
  }

  private static boolean isRemediating(JsonNode resource) {
    for (JsonNode node : resource.path("status").path("unhealthyNodes")) {
      if (!node.path("remediations").isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static List<Finding> refusals(List<Finding> findings) {
    return findings.stream().filter(Finding::fatal).toList();
  }
}
