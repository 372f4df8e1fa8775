package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.nodehealth.maintenance.NodeMaintenance;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Unclear;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** More Maintenances than are kept. */
class WatchedMaintenancesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final VirtualTime time = new VirtualTime();
  private final AtomicInteger lists = new AtomicInteger();
  private FakeApiServer server;
  private KubernetesClient client;
  private WatchedMaintenances maintenances;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer(time.clock());
    client = server.client();
    maintenances =
        new WatchedMaintenances(
            new ObjectPatches(
                ApiServer.of(client, Duration.ofSeconds(5)),
                () -> true,
                new ReconcileLoop(time.loop("test"), time.clock())),
            new StatusPauses(time.clock(), new Random(1), Duration.ofSeconds(1)),
            lists::incrementAndGet,
            2);
  }

  @AfterEach
  void end() {
    client.close();
    server.close();
  }

  private JsonNode object(String name) {
    return JSON.valueToTree(
        new Yaml()
            .load(
                """
                apiVersion: probelet.io/v1alpha1
                kind: Maintenance
                metadata: {name: %s, uid: "u-%s", resourceVersion: "1"}
                spec: {start: "%s", duration: 1h, nodeSelector: {}}
                """
                    .formatted(name, name, time.clock().wallTime())));
  }

  private NodeMaintenance now() {
    maintenances.refresh(time.clock().wallTime());
    return maintenances.of(Map.of(), null, time.clock().wallTime());
  }

  @Test
  @DisplayName("MW-1 a Maintenance that seemed over is one again after the wall clock is set back")
  void clockSetBack() {
    JsonNode current = object("a");
    time.clock().stepWallClock(Duration.ofDays(30));
    maintenances.changed(current);
    assertThat(now()).as("over").isNull();
    time.clock().stepWallClock(Duration.ofDays(-30));
    assertThat(now()).isInstanceOf(NodeMaintenance.Window.class);
  }

  @Test
  @DisplayName("MW-6 with too many, no node's state is known until fewer are listed again")
  void tooMany() {
    maintenances.changed(object("a"));
    maintenances.changed(object("b"));
    assertThat(now()).isInstanceOf(NodeMaintenance.Window.class);
    maintenances.changed(object("c"));
    assertThat(now())
        .isEqualTo(
            new Unclear("the cluster has more than 2 Maintenances; delete those that are over"));
    maintenances.changed(object("a"));
    assertThat(now()).as("a known one changed").isInstanceOf(Unclear.class);

    maintenances.gone(object("c"));
    maintenances.gone(object("b"));
    time.advance(Duration.ofSeconds(14));
    assertThat(lists).hasValue(0);
    assertThat(now()).isInstanceOf(Unclear.class);
    time.advance(Duration.ofSeconds(2));
    assertThat(lists).as("once for all deletions").hasValue(1);
    maintenances.changed(object("a"));
    assertThat(now()).isInstanceOf(NodeMaintenance.Window.class);
  }
}
