package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.remediator.decide.ObservedMachine;
import io.probelet.remediator.decide.ObservedNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MachineReaderTest {
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.client();
  private final ApiServer api = ApiServer.of(client, Duration.ofSeconds(5));

  MachineReaderTest() throws IOException {}

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private ObservedMachine read(String machine, String namespace) throws UnreadableException {
    ObservedNode node =
        new ObservedNode(
            "worker-1",
            "u",
            "1",
            "b",
            false,
            Map.of(),
            List.of(),
            Map.of(),
            Map.of(
                "cluster.x-k8s.io/machine", machine,
                "cluster.x-k8s.io/cluster-namespace", namespace));
    return MachineReader.read(api, MachineRequest.NEW, node);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1beta2"})
  @DisplayName("ACT-53 the Machine that the node names, in whichever version it is served")
  void found(String version) throws UnreadableException {
    server.serve("cluster.x-k8s.io/" + version, "Machine");
    server.put(
        """
        apiVersion: cluster.x-k8s.io/%s
        kind: Machine
        metadata:
          name: m
          namespace: c
          uid: uid-m
          annotations: {cluster.x-k8s.io/remediate-machine: mine}
          ownerReferences:
          - {apiVersion: v1, kind: Other, name: o}
          - {apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineSet, name: s, controller: true}
        status:
          nodeRef: {name: worker-1}
          conditions:
          - {type: HealthCheckSucceeded, status: "False", reason: Marked, message: by hand}
        """
            .formatted(version));
    String path = "/apis/cluster.x-k8s.io/" + version + "/namespaces/c/machines/m";
    JsonNode machine = server.get(path);
    assertThat(read("m", "c"))
        .isEqualTo(
            new ObservedMachine.Found(
                path,
                "c/m",
                machine.at("/metadata/uid").asText(),
                machine.at("/metadata/resourceVersion").asText(),
                "worker-1",
                "MachineSet",
                "mine",
                "False Marked by hand",
                false));
  }

  @Test
  @DisplayName("ACT-53 a Machine that is not there is missing")
  void missing() throws UnreadableException {
    server.serve("cluster.x-k8s.io/v1beta1", "Machine");
    assertThat(read("m", "c")).isEqualTo(new ObservedMachine.Missing("c/m"));
  }

  @ParameterizedTest
  @CsvSource({"'', c", "m, ''", "../../secrets/s, c", "m, a/b", "m?x=y, c"})
  @DisplayName(
      "ACT-53 what is no name of a Machine is not asked for: a kubelet may have written it")
  void noName(String machine, String namespace) throws UnreadableException {
    assertThat(read(machine, namespace)).isInstanceOf(ObservedMachine.Unknown.class);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  @DisplayName("an API that does not answer is no Machine that is gone")
  void away() {
    server.close();
    assertThatThrownBy(() -> read("m", "c"))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("the Machine c/m cannot be read");
  }
}
