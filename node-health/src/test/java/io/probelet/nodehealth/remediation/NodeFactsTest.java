package io.probelet.nodehealth.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts.Machine;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes as values: equality of its own making keeps the promises of any record's. */
class NodeFactsTest {
  @Test
  @DisplayName("equal nodes and conditions have equal hashes, and those of others differ")
  void hashes() {
    assertThat(Scene.node("n1")).isEqualTo(Scene.node("n1")).hasSameHashCodeAs(Scene.node("n1"));
    assertThat(Scene.node("n1")).doesNotHaveSameHashCodeAs(Scene.node("n2"));
    NodeCondition ready = new NodeCondition("Ready", "True", Scene.START);
    assertThat(ready)
        .isEqualTo(new NodeCondition("Ready", "True", Scene.START))
        .hasSameHashCodeAs(new NodeCondition("Ready", "True", Scene.START))
        .doesNotHaveSameHashCodeAs(new NodeCondition("DiskPressure", "True", Scene.START));
  }

  @Test
  @DisplayName("R-4 nodes are equal if all that is known of them is")
  void nodes() {
    NodeFacts node = Scene.node("n1");
    NodeFacts same = Scene.node("n1").withConfirmedHealthy(false);
    ObjectRef machine = new ObjectRef("v1", "Machine", "remedies", "m1");
    assertThat(node).isEqualTo(same).hasSameHashCodeAs(same);
    for (NodeFacts other :
        List.of(
            facts("n2", "n1-uid", Scene.START, null),
            facts("n1", "n2-uid", Scene.START, null),
            facts("n1", "n1-uid", Scene.START.plusSeconds(1), null),
            facts("n1", "n1-uid", Scene.START, new Machine(machine, "m")),
            node.withLabel("a", "b"),
            node.withConfirmedHealthy(true),
            node.withApproved("RebootRemediation"),
            node.withCondition("Ready", "False", Scene.START))) {
      assertThat(node).isNotEqualTo(other);
    }
    assertThat(node.equals((Object) "n1")).isFalse();
    assertThat(node.withLabel("a", "b").withLabel("a", null)).isEqualTo(node);
    assertThat(node.withCondition("Disk", "True", Scene.START).conditions()).hasSize(2);
    NodeFacts approved = node.withApproved("A");
    assertThat(approved.withLabel("a", "b").approved()).isEqualTo("A");
    assertThat(approved.withCondition("Disk", "True", Scene.START).approved()).isEqualTo("A");
    assertThat(approved.withConfirmedHealthy(true).approved()).isEqualTo("A");
    assertThat(node.isControlPlane()).isFalse();
    assertThat(node.withLabel(WireNames.CONTROL_PLANE, "").isControlPlane()).isTrue();
    assertThat(node.withLabel(WireNames.MASTER, "").isControlPlane()).isTrue();
  }

  @Test
  @DisplayName("R-4 conditions are equal by type, status and time")
  void conditions() {
    NodeCondition ready = new NodeCondition("Ready", "True", Scene.START);
    NodeCondition same = new NodeCondition("Ready", "True", Scene.START);
    assertThat(ready).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(ready).isNotEqualTo(new NodeCondition("Disk", "True", Scene.START));
    assertThat(ready).isNotEqualTo(new NodeCondition("Ready", "False", Scene.START));
    assertThat(ready).isNotEqualTo(new NodeCondition("Ready", "True", Scene.START.plusNanos(1)));
    assertThat(ready.equals((Object) "Ready")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "Disk, True, true",
    "Disk, False, false",
    "Ready, True, false",
    "Ready, Unknown, true",
    "Kernel, True, false",
  })
  @DisplayName("R-5 a rule is met by a condition of its type and its status, however long")
  void meets(String type, String status, boolean met) {
    NodeFacts node =
        Scene.node("n1")
            .withCondition("Ready", "Unknown", Scene.START)
            .withCondition("Disk", "True", Scene.START);
    UnhealthyCondition rule = new UnhealthyCondition(type, status, Duration.ofDays(1));
    assertThat(node.meets(rule)).isEqualTo(met);
  }

  private static NodeFacts facts(String name, String uid, Instant created, Machine machine) {
    return new NodeFacts(
        name, uid, created, Map.of(), Scene.node("n1").conditions(), false, machine);
  }
}
