package io.probelet.nodehealth.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.HoldReason.NoTemplateLeft;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a new leader takes as announced already. */
class PlannerMemoryTest {
  private static UnhealthyNode node(String name, TrackedRemediation... remediations) {
    return new UnhealthyNode(name, List.of(remediations), null, false);
  }

  private static TrackedRemediation remediation(boolean givenUp) {
    return new TrackedRemediation(
        new ObjectRef("example.io/v1", "RebootRemediation", "remedies", "n"),
        "uid",
        Scene.START,
        givenUp ? Scene.START : null,
        "reboot");
  }

  @Test
  @DisplayName("R-5, R-18 which nodes are unhealthy, and for which all templates were given up")
  void restored() {
    PlannerMemory memory =
        PlannerMemory.restoredFrom(
            new NodeHealthCheckStatus(
                4,
                0,
                List.of(
                    node("waits"),
                    node("runs", remediation(false)),
                    node("goes-on", remediation(true), remediation(false)),
                    node("tried", remediation(true), remediation(true))),
                List.of(),
                Phase.REMEDIATING,
                "",
                null));
    assertThat(memory)
        .isEqualTo(
            new PlannerMemory(
                null,
                Map.of(),
                Map.of("tried", new NoTemplateLeft(2)),
                Set.of("waits", "runs", "goes-on", "tried"),
                Set.of(),
                null));
  }
}
