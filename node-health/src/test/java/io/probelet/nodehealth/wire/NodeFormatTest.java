package io.probelet.nodehealth.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.watch.Item;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.Machine;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.resource.ObjectRef;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class NodeFormatTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  @DisplayName("R-4, R-5, R-8 all that plans ask of a node, and nothing of the rest")
  void node() throws IOException {
    Item<NodeFacts> item =
        read(
            """
            spec: {podCIDR: 10.0.0.0/24, taints: [{key: a, effect: NoSchedule}]}
            metadata:
              managedFields: [{manager: m, fieldsV1: {"f:metadata": {"f:labels": {}}}}]
              name: n1
              uid: u-1
              resourceVersion: "17"
              creationTimestamp: "2026-01-01T00:00:00Z"
              labels: {pool: a, empty: ""}
              annotations: {remediation.medik8s.io/manually-confirmed-healthy: "", other: x}
            status:
              images: [{names: [a, b], sizeBytes: 5}]
              conditions:
              - {type: Ready, status: "True", lastHeartbeatTime: "2026-01-02T00:00:00Z",
                 lastTransitionTime: "2026-01-01T01:02:03Z", reason: R, message: m}
              - {status: Unknown, type: Disk, lastTransitionTime: "2026-01-01T02:02:03+01:00"}
            """);

    assertThat(item.namespace()).isNull();
    assertThat(item.name()).isEqualTo("n1");
    assertThat(item.uid()).isEqualTo("u-1");
    assertThat(item.version()).isEqualTo("17");
    assertThat(item.value())
        .isEqualTo(
            new NodeFacts(
                "n1",
                "u-1",
                Instant.parse("2026-01-01T00:00:00Z"),
                Map.of("pool", "a", "empty", ""),
                List.of(
                    new NodeCondition("Ready", "True", Instant.parse("2026-01-01T01:02:03Z"), "R"),
                    new NodeCondition("Disk", "Unknown", Instant.parse("2026-01-01T01:02:03Z"))),
                List.of(new NodeTaint("a", "", "NoSchedule")),
                true,
                null,
                null));
  }

  @Test
  @DisplayName("R-15 the machine of OpenShift and of Cluster API")
  void machines() throws IOException {
    assertThat(
            read("metadata: {name: n, annotations: {machine.openshift.io/machine: a/b}}")
                .value()
                .machine())
        .isEqualTo(
            new Machine(new ObjectRef("machine.openshift.io/v1beta1", "Machine", "a", "b"), ""));
    assertThat(
            read("""
            metadata:
              name: n
              annotations: {cluster.x-k8s.io/machine: b, cluster.x-k8s.io/cluster-namespace: a}
            """)
                .value()
                .machine())
        .isEqualTo(new Machine(new ObjectRef("cluster.x-k8s.io/v1beta1", "Machine", "a", "b"), ""));
  }

  @Test
  @DisplayName("ACT-76 what a human allows is read, of a longer text nothing")
  void approved() throws IOException {
    String node = "metadata: {name: n, annotations: {probelet.io/approved: \"%s\"}}";
    assertThat(read(node.formatted("RebootRemediation")).value().approved())
        .isEqualTo("RebootRemediation");
    assertThat(read(node.formatted("x".repeat(1101))).value().approved()).isNull();
    assertThat(read("metadata: {name: n}").value().approved()).isNull();
  }

  @Test
  @DisplayName("the order of fields does not matter")
  void order() throws IOException {
    assertThat(
            read("""
            status: {conditions: [{type: Ready, status: "True"}], images: [{names: [a]}]}
            metadata: {labels: {a: b}, name: n}
            """)
                .value())
        .isEqualTo(
            new NodeFacts(
                "n",
                "",
                Instant.EPOCH,
                Map.of("a", "b"),
                List.of(new NodeCondition("Ready", "True", Instant.EPOCH)),
                false,
                null));
  }

  @ParameterizedTest
  @DisplayName("what is missing or null is empty, as with a node that has just been created")
  @ValueSource(
      strings = {
        "metadata: {name: n}",
        "{metadata: {name: n, labels: null, annotations: null}, status: null}",
        "{metadata: {name: n, creationTimestamp: null}, status: {conditions: null}}",
        "{metadata: {name: n, uid: null}, status: {}}"
      })
  void bare(String yaml) throws IOException {
    assertThat(read(yaml).value())
        .isEqualTo(new NodeFacts("n", "", Instant.EPOCH, Map.of(), List.of(), false, null));
  }

  @Test
  @DisplayName("RB-1 labels that are as before are not kept a second time")
  void again() throws IOException {
    NodeFacts first = read("metadata: {name: n, labels: {a: b, c: d}}").value();
    assertThat(read("metadata: {name: n, labels: {c: d, a: b}}", first).value())
        .isEqualTo(first)
        .satisfies(again -> assertThat(again.labels()).isSameAs(first.labels()));
    for (String other : List.of("{a: b}", "{a: b, c: e}", "{a: b, d: d}", "{a: b, c: d, e: f}")) {
      NodeFacts changed = read("metadata: {name: n, labels: " + other + "}", first).value();
      assertThat(changed.labels()).isEqualTo(new Yaml().<Object>load(other));
    }
  }

  private static Item<NodeFacts> read(String yaml) throws IOException {
    return read(yaml, null);
  }

  private static Item<NodeFacts> read(String yaml, NodeFacts before) throws IOException {
    String json = JSON.writeValueAsString(new Yaml().<Object>load(yaml));
    try (JsonParser object = JSON.createParser(json)) {
      object.nextToken();
      return new NodeFormat().read(object, _ -> before);
    }
  }
}
