package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import java.util.ArrayList;
import java.util.List;

/** Which changes of a NodeHealthCheck are denied (NHC-21). */
public final class NodeHealthCheckAdmission {
  private static final String RUNNING = "prohibited due to running remediation";
  private static final List<String> FROZEN =
      List.of("selector", "remediationTemplate", "escalatingRemediations");

  private NodeHealthCheckAdmission() {}

  /**
   * Reviews a new resource.
   *
   * @return why it is denied; empty if it is not
   */
  public static List<Problem> create(JsonNode resource, TemplateKinds kinds) {
    return NodeHealthCheckReader.ofNew(kinds).read(resource).refusals();
  }

  /**
   * Reviews a change.
   *
   * @param running finds running remediations; called only if it matters
   * @return why it is denied; empty if it is not
   */
  public static List<Problem> update(
      JsonNode before, JsonNode after, TemplateKinds kinds, RunningRemediations running) {
    boolean selectsAll = before.path("spec").path("selector").isEmpty();
    NodeHealthCheckReader reader =
        selectsAll ? NodeHealthCheckReader.ofExisting(kinds) : NodeHealthCheckReader.ofNew(kinds);
    List<Problem> denials = new ArrayList<>(reader.read(after).refusals());
    List<String> changed =
        FROZEN.stream()
            .filter(
                field -> !before.path("spec").path(field).equals(after.path("spec").path(field)))
            .toList();
    if (!changed.isEmpty()) {
      String why = frozen(before, running);
      for (String field : why.isEmpty() ? List.<String>of() : changed) {
        denials.add(denial("spec." + field, "update " + why));
      }
    }
    return denials;
  }

  /** why it may not be changed; empty if it may. */
  private static String frozen(JsonNode resource, RunningRemediations running) {
    if (isRemediating(resource)) {
      return RUNNING;
    }
    return switch (running.of(resource)) {
      case SOME -> RUNNING;
      case NONE -> "";
      case NO_ANSWER ->
          "not possible now: cannot verify whether a remediation is running; try again";
    };
  }

  /**
   * Reviews a deletion.
   *
   * @return why it is denied; empty if it is not
   */
  public static List<Problem> delete(JsonNode resource, RunningRemediations running) {
    String why = frozen(resource, running);
    return why.isEmpty() ? List.of() : List.of(denial("", "deletion " + why));
  }

  private static boolean isRemediating(JsonNode resource) {
    for (JsonNode node : resource.path("status").path("unhealthyNodes")) {
      if (!node.path("remediations").isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static Problem denial(String field, String message) {
    return new Problem(NodeHealthCheck.KIND, 0, null, Severity.ERROR, field, message);
  }
}
