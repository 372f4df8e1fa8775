package io.probelet.nodehealth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.probelet.health.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Nodes as they are read; their kubelets may write most of it. */
class WorkloadNodeTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Instant NOW = VirtualTime.START;

  private static WorkloadNode read(String node) throws IOException {
    return WorkloadNode.read(YAML.readTree(node));
  }

  @Test
  void readsWhatMatters() throws IOException {
    WorkloadNode node =
        read(
            """
            metadata:
              name: n1
              uid: u
              annotations: {probelet.io/maintenance: "2026-01-01T01:00:00Z disks"}
            spec: {unschedulable: true}
            status:
              conditions:
              - {type: DiskPressure, status: "True"}
              - {type: Ready, status: "True"}
              - {type: WorkloadsFailing, status: "False", reason: WorkloadsWorking, message: m}
            """);
    assertThat(node.name()).isEqualTo("n1");
    assertThat(node.uid()).isEqualTo("u");
    assertThat(node.ready()).isTrue();
    assertThat(node.cordoned()).isTrue();
    assertThat(node.deleting()).isFalse();
    assertThat(node.isMaintained(NOW)).isTrue();
    assertThat(node.isMaintained(NOW.plus(Duration.ofHours(2)))).isFalse();
    assertThat(Finding.shown(node.shown())).isEqualTo(Finding.WORKING);
  }

  /** WE-7: a node that says nothing is not Ready. */
  @Test
  void nodeWithoutConditionsIsNotJudged() throws IOException {
    WorkloadNode node = read("metadata: {name: n1, deletionTimestamp: x}");
    assertThat(node.ready()).isFalse();
    assertThat(node.deleting()).isTrue();
    assertThat(node.shown()).isNull();
    assertThat(node.isJudged(NOW)).isFalse();
  }

  /** WE-14: whoever writes the condition. */
  @Test
  void longTextsAreCut() throws IOException {
    WorkloadNode node =
        read(
            "status: {conditions: [{type: WorkloadsFailing, status: %s, reason: %s, message: %s}]}"
                .formatted("s".repeat(9_000), "r".repeat(9_000), "m".repeat(9_000)));
    WorkloadNode.Shown shown = node.shown();
    assertThat(shown).isNotNull();
    assertThat(shown.status()).hasSize(16);
    assertThat(shown.reason()).hasSize(128);
    assertThat(shown.message()).hasSize(WorkloadNode.MAX_MESSAGE + 1);
    assertThat(Finding.shown(shown)).isNull();
  }
}
