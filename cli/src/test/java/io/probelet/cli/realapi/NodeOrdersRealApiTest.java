package io.probelet.cli.realapi;

import static io.probelet.cli.realapi.AgentWrites.HERE;
import static io.probelet.cli.realapi.AgentWrites.SYSTEM;
import static io.probelet.cli.realapi.AgentWrites.THERE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.agent.order.NodeActions;
import io.probelet.agent.order.OrdersPart;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.monitor.check.Machine;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.order.OrderOwner;
import io.probelet.remediator.order.OrderPermissions;
import io.probelet.remediator.order.OrderPhase;
import io.probelet.remediator.order.OrderSpec;
import io.probelet.remediator.order.OrderStatus;
import io.probelet.remediator.resource.KeptEvidence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An order with definition, rights and policy of deploy/, carried out by an agent's own token. */
@Tag("real-api")
@Timeout(300)
class NodeOrdersRealApiTest {
  @TempDir Path folder;

  @Test
  @DisplayName("ACT-30, ACT-32, ACT-33: an agent answers only orders to its own node")
  void orders() throws Exception {
    try (RealApi real = RealApi.open(folder)) {
      real.assumeSince(RealApi.POLICIES);
      KubernetesClient admin = real.client();
      admin
          .resource(new NamespaceBuilder().withNewMetadata().withName(SYSTEM).endMetadata().build())
          .createOr(NonDeletingOperation::update);
      real.apply("deploy/crds/nodeorders.probelet.io.yaml");
      real.applyRights("deploy/daemonset.yaml");
      real.apply("deploy/remediators/agents.yaml");
      real.apply("deploy/remediators/admission-policy.yaml");
      admin
          .resource(new NodeBuilder().withNewMetadata().withName(HERE).endMetadata().build())
          .createOr(NonDeletingOperation::update);
      Pod pod =
          new PodBuilder()
              .withNewMetadata()
              .withName("probelet-agent-orders")
              .withNamespace(SYSTEM)
              .endMetadata()
              .withNewSpec()
              .withNodeName(HERE)
              .withServiceAccountName("probelet-agent")
              .addNewContainer()
              .withName("a")
              .withImage("a")
              .endContainer()
              .endSpec()
              .build();
      Pod made = admin.resource(pod).createOr(NonDeletingOperation::update);
      ApiServer api = ApiServer.of(admin, Duration.ofSeconds(10));
      Config config = Config.fromKubeconfig(real.kubeconfigOf(made).toFile());
      try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
          OrdersPart _ = part(client)) {
        await()
            .atMost(Duration.ofMinutes(1))
            .until(() ->
                api.create(NodeOrder.collection(SYSTEM), NodeOrderJson.write(draft(HERE)))
                    instanceof ApiResult.Done);
        var _ = api.create(NodeOrder.collection(SYSTEM), NodeOrderJson.write(draft(THERE)));
        awaitPhase(api, OrderPhase.CLAIMED);
        NodeOrder claimed = order(api, HERE);
        assertThat(
                api.patch(
                    claimed.path(),
                    ApiServer.MERGE_PATCH,
                    NodeOrderJson.grant(claimed.uid(), claimed.version())))
            .isInstanceOf(ApiResult.Done.class);
        awaitPhase(api, OrderPhase.DONE);
        assertThat(order(api, HERE).status().evidence().digest()).containsExactly("line");

        ApiServer agent = ApiServer.of(client, Duration.ofSeconds(10));
        NodeOrder there = order(api, THERE);
        assertThat(there.status().phase()).isEqualTo(OrderPhase.NONE);
        OrderStatus lie = new OrderStatus(OrderPhase.DONE, "boot-1", "");
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() ->
                assertThat(
                        agent
                            .patch(
                                there.path() + "/status",
                                ApiServer.MERGE_PATCH,
                                NodeOrderJson.status(there, lie))
                            .summary())
                    .contains("only the status of the order to its own node"));
        assertThat(
                agent.patch(
                    there.path(),
                    ApiServer.MERGE_PATCH,
                    NodeOrderJson.grant(there.uid(), there.version())))
            .matches(ApiResult::isForbidden);
      } finally {
        for (String node : List.of(HERE, THERE)) {
          var _ =
              api.delete(
                  NodeOrder.collection(SYSTEM) + "/" + node, JsonNodeFactory.instance.objectNode());
        }
        admin.resource(made).withGracePeriod(0).delete();
        admin.nodes().withName(HERE).delete();
      }
    }
  }

  private OrdersPart part(KubernetesClient client) {
    Machine machine =
        Machine.of(folder, folder, Optional.empty(), SystemClock.INSTANCE, new Random(1));
    return new OrdersPart(
        ApiServer.of(client, Duration.ofSeconds(10)),
        SYSTEM,
        HERE,
        "boot-1",
        () -> new OrderPermissions(Set.of(), false, false, false),
        NodeActions.on(machine, _ -> new KeptEvidence("a.tar.gz", "ab", 7, List.of("line"))),
        () -> {},
        new SimpleMeterRegistry(),
        SystemClock.INSTANCE,
        new Random(1));
  }

  private static NodeOrder draft(String node) {
    OrderOwner owner = new OrderOwner("RebootRemediation", "ns", node, "u");
    return NodeOrder.draft(
        SYSTEM,
        node,
        new OrderSpec(
            new OrderAction.Diagnose(), "boot-1", Duration.ofSeconds(30), "why", owner, false));
  }

  private static NodeOrder order(ApiServer api, String node) {
    ApiResult answer = api.get(NodeOrder.collection(SYSTEM) + "/" + node);
    assertThat(answer).isInstanceOf(ApiResult.Done.class);
    return NodeOrderJson.read(((ApiResult.Done) answer).body());
  }

  private static void awaitPhase(ApiServer api, OrderPhase phase) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(order(api, HERE).status().phase()).isEqualTo(phase));
  }
}
