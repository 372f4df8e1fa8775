package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.probelet.fleet.FleetAgent;
import io.probelet.fleet.FleetGap;
import io.probelet.fleet.FleetLeader;
import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetReader;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.FleetWait;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole cluster read from a real API server with the rights of a viewer. */
@Timeout(180)
class FleetRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final String NODE = "probelet-fleet-test";
  private static final String ACCOUNT = "fleet-viewer";
  private static final String LEADER = "fleet-leader";
  private static final String HOLDER = LEADER + "_0dedd126";
  private static final String AGENT = "fleet-agent";
  private static final int PORT = 20258;

  @TempDir private Path directory;

  @Test
  @DisplayName("the roles of viewer.yaml suffice; without them each missing permission is named")
  void viewer() throws Exception {
    try (RealApi real = RealApi.open(directory)) {
      Assumptions.assumeTrue(real.isOurs(), "SKIPPED: not with a cluster that somebody has");
      KubernetesClient client = real.client();
      real.apply("deploy/00-namespace.yaml");
      real.applyRights("deploy/remediation.yaml");
      real.apply("deploy/variants/viewer.yaml");
      real.define(
          "deploy/crds/nodehealthchecks.remediation.medik8s.io.yaml",
          "nodehealthchecks.remediation.medik8s.io");
      real.define(
          "deploy/crds/remediationpolicies.probelet.io.yaml", "remediationpolicies.probelet.io");
      real.define(
          "deploy/crds/drainremediations.probelet.io.yaml", "drainremediations.probelet.io");
      account(client);
      brokenNode(client);
      Path kubeconfig = real.kubeconfigOf(SYSTEM, ACCOUNT);
      try (Viewer nobody = new Viewer(kubeconfig)) {
        assertThat(nobody.view().gaps())
            .extracting(FleetGap::what, FleetGap::kind)
            .contains(
                tuple("Nodes", FleetGap.Kind.FORBIDDEN),
                tuple("NodeHealthChecks", FleetGap.Kind.FORBIDDEN),
                tuple("RemediationPolicies", FleetGap.Kind.FORBIDDEN),
                tuple("DrainRemediations", FleetGap.Kind.FORBIDDEN),
                tuple("Leases of leaders", FleetGap.Kind.FORBIDDEN));
      }
      bind(client);
      InetAddress address = address();
      HttpServer pods = HttpServer.create(new InetSocketAddress(address, PORT), 0);
      pods.createContext("/", FleetRealApiTest::answer);
      pods.start();
      pod(client, LEADER, "probelet-controller", address);
      pod(client, AGENT, "probelet-agent", address);
      lead(client);
      try (Viewer viewer = new Viewer(kubeconfig)) {
        FleetView view = viewer.view();
        assertThat(view.gaps()).isEmpty();
        assertThat(view.absent()).contains("ClusterHealths").doesNotContain("NodeHealthChecks");
        assertThat(view.node(NODE).orElseThrow().state()).isEqualTo(FleetNode.State.UNHEALTHY);
        assertThat(view.waitsOf(NODE))
            .extracting(FleetWait::reason)
            .containsExactly("NoNodeHealthCheck");
        assertThat(view.leaders())
            .extracting(FleetLeader::holder, FleetLeader::leading)
            .contains(tuple(HOLDER, true));
        assertThat(view.waits())
            .extracting(FleetWait::why)
            .contains("DrainRemediation does not run: a right is missing");
        assertThat(viewer.agent.node(NODE).conditions()).isEmpty();
        assertThatThrownBy(() -> viewer.agent.containers(NODE, 1))
            .hasMessageContaining("unexpected response");
        assertThatThrownBy(() -> viewer.agent.node("no-such-node"))
            .hasMessageContaining("no pod of probelet-agent");
      } finally {
        pods.stop(0);
        client.nodes().withName(NODE).delete();
      }
    }
  }

  /** The program with the rights of a viewer. */
  private static final class Viewer implements AutoCloseable {
    private final ClusterAccess access;
    private final FleetReader reader;
    private final FleetAgent agent;

    Viewer(Path kubeconfig) throws IOException {
      access = new ClusterAccess(kubeconfig, SystemClock.INSTANCE);
      ApiServer api = ApiServer.of(access.client(), Duration.ofSeconds(20));
      reader = new FleetReader(api, "real", SYSTEM, SystemClock.INSTANCE, new Random(1));
      agent = new FleetAgent(api, SYSTEM, SystemClock.INSTANCE);
    }

    FleetView view() throws InterruptedException {
      assertThat(reader.awaitRead(Duration.ofSeconds(60))).isTrue();
      return reader.view();
    }

    @Override
    public void close() {
      reader.close();
      access.close();
    }
  }

  /** What a leader and an agent answer. */
  private static void answer(HttpExchange request) throws IOException {
    String json =
        switch (request.getRequestURI().getPath()) {
          case "/api/v1/remediation" -> "{\"leading\":true,\"nodeHealthChecks\":[]}";
          case "/api/v1/remediators" ->
              "{\"leading\":true,\"remediations\":[],\"kinds\":[{\"kind\":\"DrainRemediation\","
                  + "\"problem\":\"a right is missing\"}]}";
          case "/api/v1/node" -> "{\"conditions\":[],\"events\":[],\"sources\":[]}";
          default -> "{\"surprise\":true}";
        };
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    request.getResponseHeaders().set("Content-Type", "application/json");
    request.sendResponseHeaders(200, bytes.length);
    request.getResponseBody().write(bytes);
    request.close();
  }

  /** An API server's proxy leads to no loopback: the machine's own address does for pods. */
  private static InetAddress address() throws IOException {
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(each.getInetAddresses())) {
        if (address instanceof Inet4Address
            && !address.isLoopbackAddress()
            && !address.isLinkLocalAddress()) {
          return address;
        }
      }
    }
    return Assumptions.abort("SKIPPED: this machine has no address but loopback");
  }

  private static void account(KubernetesClient client) {
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(ACCOUNT)
                .withNamespace(SYSTEM)
                .endMetadata()
                .build())
        .createOr(NonDeletingOperation::update);
  }

  private static void brokenNode(KubernetesClient client) {
    Node node =
        client
            .nodes()
            .resource(new NodeBuilder().withNewMetadata().withName(NODE).endMetadata().build())
            .create();
    node.setStatus(new NodeStatus());
    node.getStatus()
        .setConditions(
            List.of(
                new NodeConditionBuilder()
                    .withType("Ready")
                    .withStatus("Unknown")
                    .withLastTransitionTime("2026-11-01T00:00:00Z")
                    .build()));
    client.resource(node).updateStatus();
  }

  private static void bind(KubernetesClient client) {
    client
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(ACCOUNT)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "probelet-viewer")
                .addNewSubject("", "ServiceAccount", ACCOUNT, SYSTEM)
                .build())
        .createOr(NonDeletingOperation::update);
    for (String place :
        List.of(
            "probelet-system/probelet-lease-viewer",
            "medik8s-leases/probelet-lease-viewer",
            "probelet-system/probelet-agent-viewer")) {
      String[] parts = place.split("/", -1);
      client
          .resource(
              new RoleBindingBuilder()
                  .withNewMetadata()
                  .withName(ACCOUNT + "-" + parts[1])
                  .withNamespace(parts[0])
                  .endMetadata()
                  .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", parts[1])
                  .addNewSubject("", "ServiceAccount", ACCOUNT, SYSTEM)
                  .build())
          .createOr(NonDeletingOperation::update);
    }
  }

  private static void pod(KubernetesClient client, String name, String app, InetAddress address) {
    Pod pod =
        client
            .resource(
                new PodBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withNamespace(SYSTEM)
                    .addToLabels("app.kubernetes.io/name", app)
                    .endMetadata()
                    .withNewSpec()
                    .withNodeName(NODE)
                    .addNewContainer()
                    .withName("c")
                    .withImage("i")
                    .endContainer()
                    .endSpec()
                    .build())
            .create();
    pod.getStatus().setPhase("Running");
    pod.getStatus().setPodIP(address.getHostAddress());
    pod.getStatus().setPodIPs(List.of(new PodIP(address.getHostAddress())));
    client.resource(pod).updateStatus();
  }

  private static void lead(KubernetesClient client) {
    for (String part : List.of("probelet-remediation", "probelet-remediators")) {
      client
          .resource(
              new LeaseBuilder()
                  .withNewMetadata()
                  .withName(part)
                  .withNamespace(SYSTEM)
                  .endMetadata()
                  .withNewSpec()
                  .withHolderIdentity(HOLDER)
                  .withLeaseDurationSeconds(600)
                  .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                  .endSpec()
                  .build())
          .createOr(NonDeletingOperation::update);
    }
  }
}
