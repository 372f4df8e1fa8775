package io.probelet.nodehealth.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
}
