package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;

/** A remediation that never ends keeps a place in every limit, and its node cordoned. */
final class EscalationEnds implements Rule {
  @Override
  public String name() {
    return "escalation-ends";
  }

  @Override
  public String reason() {
    return "Once all nodes are healthy, no remediation, lease, order or status of one is left.";
  }

  @Override
  public void settled(EndState end, Findings findings) {
    end.objects()
        .forEach((path, object) -> {
          String kind = ObjectFields.kind(object);
          check(end, findings, Remediations.owner(object).isEmpty(), path + " is left");
          check(end, findings, !kind.equals("NodeOrder"), path + " is left");
          check(end, findings, !path.startsWith(Remediations.NODE_LEASES), path + " is left");
          check(end, findings, !ObjectFields.isDeleting(object), path + " is still being deleted");
          if (kind.equals("NodeHealthCheck")) {
            status(end, path, object, findings);
          }
        });
  }

  private void status(EndState end, String path, JsonNode object, Findings findings) {
    JsonNode status = object.path("status");
    check(
        end,
        findings,
        status.path("unhealthyNodes").isEmpty(),
        path + " still lists " + status.path("unhealthyNodes"));
    check(
        end,
        findings,
        !status.path("phase").asText().equals("Remediating"),
        path + " is still remediating");
  }

  private void check(EndState end, Findings findings, boolean holds, String what) {
    findings.check(this, end.at(), holds, () -> what);
  }
}
