package io.probelet.agent.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.health.SystemClock;
import io.probelet.health.Threads;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.monitor.bus.SystemBus;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.order.OrderOwner;
import io.probelet.remediator.order.OrderPermissions;
import io.probelet.remediator.order.OrderPhase;
import io.probelet.remediator.order.OrderSpec;
import io.probelet.remediator.order.OrderStatus;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RebootMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The agent's part against an API server of the tests and a real dbus-daemon. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
final class OrdersPartTest {
  private static final OrderAction RESTART =
      new OrderAction.RestartServices(List.of("kubelet.service"));
  private static final OrderAction REBOOT = new OrderAction.Reboot(RebootMode.REBOOT);
  private static final OrderOwner OWNER =
      new OrderOwner("RebootRemediation", "ns", "worker-1", "u");
  private static final String PATH =
      "/apis/probelet.io/v1alpha1/namespaces/probelet-system/nodeorders/worker-1";

  @TempDir Path folder;
  private FakeApiServer server;
  private KubernetesClient client;
  private BusDaemon bus;
  private BusStandIn systemd;
  private OrdersPart part;
  private EvidenceSource evidence = _ -> null;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  @BeforeEach
  void start() throws IOException {
    bus = BusDaemon.start(folder);
    systemd = BusStandIn.start(bus.socket());
    systemd.units.put("kubelet.service", "active");
    server = new FakeApiServer();
    client = server.client();
  }

  @AfterEach
  void end() {
    if (part != null) {
      part.close();
    }
    if (client != null) {
      client.close();
      server.close();
    }
    if (systemd != null) {
      systemd.close();
    }
    if (bus != null) {
      bus.close();
    }
  }

  private OrdersPart agent(String bootId) {
    BusConnector connector = () -> SystemBus.connect(bus.socket());
    return new OrdersPart(
        ApiServer.of(client, Duration.ofSeconds(10)),
        "probelet-system",
        "worker-1",
        bootId,
        () -> new OrderPermissions(Set.of("kubelet.service"), true, false, false),
        new NodeActions(
            new ServiceRestart(connector, Threads.MACHINE::sleep),
            new NodeReboot(connector, folder, Threads.MACHINE::sleep),
            evidence),
        () -> {},
        metrics,
        SystemClock.INSTANCE,
        new Random(1));
  }

  private void order(OrderAction action, Duration timeout) {
    server.put(
        NodeOrderJson.write(
            NodeOrder.draft(
                "probelet-system",
                "worker-1",
                new OrderSpec(action, "boot-1", timeout, "Ready=False", OWNER, false))));
  }

  private NodeOrder order() {
    return NodeOrderJson.read(server.get(PATH));
  }

  private void awaitPhase(OrderPhase phase) {
    await().untilAsserted(() -> assertThat(order().status().phase()).isEqualTo(phase));
  }

  private void grant() {
    server.patch(PATH, NodeOrderJson.grant(order().uid(), order().version()).toString());
  }

  @Test
  @DisplayName("ACT-30, ACT-31, ACT-33: an order that is granted is carried out once")
  void services() {
    part = agent("boot-1");
    order(RESTART, Duration.ofSeconds(30));
    awaitPhase(OrderPhase.CLAIMED);
    assertThat(order().status().bootId()).isEqualTo("boot-1");
    assertThat(systemd.calls).as("before the grant").isEmpty();
    grant();
    awaitPhase(OrderPhase.DONE);
    assertThat(order().status().message()).isEqualTo("restarted and active: kubelet.service");
    assertThat(systemd.calls).containsExactly("RestartUnit kubelet.service replace");
    // Counted once the answer to what was written has come back.
    await()
        .untilAsserted(() ->
            assertThat(
                    metrics
                        .counter(
                            "probelet.node.orders", "action", "RestartServices", "result", "Done")
                        .count())
                .isEqualTo(1));
    assertThat(server.watchRequests())
        .allSatisfy(request ->
            assertThat(request.query()).containsEntry("fieldSelector", "metadata.name=worker-1"));
    server.delete(PATH);
    order(RESTART, Duration.ofSeconds(30)); // another one
    awaitPhase(OrderPhase.CLAIMED);
  }

  @Test
  @DisplayName("ACT-34: a node that reboots is in another boot, and its order done")
  void reboots() {
    systemd.onReboot = () -> systemd.calls.add("down");
    part = agent("boot-1");
    order(REBOOT, Duration.ofMinutes(10));
    awaitPhase(OrderPhase.CLAIMED);
    grant();
    await().until(() -> systemd.calls.contains("down"));
    part.close();
    assertThat(order().status().phase()).isEqualTo(OrderPhase.STARTED);
    part = agent("boot-2");
    awaitPhase(OrderPhase.DONE);
    assertThat(systemd.calls).containsExactly("Reboot false", "down");
  }

  @Test
  @DisplayName("ACT-35: an agent that is restarted meanwhile does not begin again")
  void restartedAgent() {
    part = agent("boot-1");
    order(REBOOT, Duration.ofMinutes(10));
    awaitPhase(OrderPhase.CLAIMED);
    grant();
    await().until(() -> !systemd.calls.isEmpty());
    part.close();
    part = agent("boot-1");
    awaitPhase(OrderPhase.FAILED);
    assertThat(order().status().message()).startsWith("the agent restarted while");
    assertThat(systemd.calls).hasSize(1);
  }

  @Test
  @DisplayName("ACT-36: what takes longer than the order may has failed")
  void late() {
    part = agent("boot-1");
    order(REBOOT, Duration.ofSeconds(1));
    awaitPhase(OrderPhase.CLAIMED);
    grant();
    awaitPhase(OrderPhase.FAILED);
    assertThat(order().status().message()).contains("within 1 s");
  }

  @Test
  @DisplayName("ACT-33: without the answer to its begin it does nothing")
  void lostAnswer() {
    part = agent("boot-1");
    order(RESTART, Duration.ofSeconds(30));
    awaitPhase(OrderPhase.CLAIMED);
    server.faults().refuse("/status", 500, "later");
    grant();
    await().until(() -> server.writes("/status").size() >= 3);
    assertThat(systemd.calls).isEmpty();
    server.faults().refuse(null, 0, "");
    awaitPhase(OrderPhase.DONE); // nothing was written, so that it may ask once more
    assertThat(systemd.calls).hasSize(1);
  }

  @Test
  @DisplayName(
      "ACT-36: a started order continues without the API server and is reported when it is back")
  void serverAway() {
    CountDownLatch collected = new CountDownLatch(1);
    evidence =
        _ -> {
          collected.await();
          return new KeptEvidence("why.tar.gz", "ac6e", 1, List.of());
        };
    part = agent("boot-1");
    order(new OrderAction.Diagnose(), Duration.ofSeconds(30));
    awaitPhase(OrderPhase.CLAIMED);
    grant();
    awaitPhase(OrderPhase.STARTED);
    server.faults().refuse("/status", 500, "later");
    int said = server.writes("/status").size();
    collected.countDown();
    await().until(() -> server.writes("/status").size() > said);
    assertThat(order().status().phase()).isEqualTo(OrderPhase.STARTED);
    server.faults().refuse(null, 0, "");
    awaitPhase(OrderPhase.DONE);
    assertThat(order().status().evidence().name()).isEqualTo("why.tar.gz");
  }

  @Test
  @DisplayName("A right to watch that comes back is noticed, though no order comes")
  void rightComesBack() {
    part = agent("boot-1");
    await().until(() -> server.openWatches() == 1);
    server.faults().refuseReads("watch=", 403, "User \"x\" cannot watch resource");
    server.cut();
    await().until(() -> part.note().startsWith("may not watch nodeorders"));
    server.faults().refuseReads(null, 0, "");
    await().until(() -> server.openWatches() == 1);
    assertThat(part.note()).as("nobody has said so yet").isNotEmpty();
    server.bookmark();
    await().until(() -> part.note().isEmpty());
  }

  @Test
  @DisplayName("ACT-31: an order that is not allowed fails at once")
  void notPermitted() {
    part = agent("boot-1");
    order(new OrderAction.RestartServices(List.of("sshd.service")), Duration.ofSeconds(30));
    awaitPhase(OrderPhase.FAILED);
    assertThat(order().status().message()).contains("orders.units");
  }

  @Test
  void whatCannotBeReadFails() {
    part = agent("boot-1");
    ObjectNode object =
        NodeOrderJson.write(
            NodeOrder.draft(
                "probelet-system",
                "worker-1",
                new OrderSpec(REBOOT, "boot-1", Duration.ofSeconds(1), "", OWNER, false)));
    ((ObjectNode) object.get("spec")).put("action", "Explode");
    server.put(object);
    awaitPhase(OrderPhase.FAILED);
    assertThat(order().status())
        .isEqualTo(
            new OrderStatus(
                OrderPhase.FAILED,
                "boot-1",
                "the order cannot be read: spec.action: Unsupported value: \"Explode\": supported"
                    + " values: \"Diagnose\", \"RestartServices\", \"Reboot\"; nothing was done"));
  }
}
