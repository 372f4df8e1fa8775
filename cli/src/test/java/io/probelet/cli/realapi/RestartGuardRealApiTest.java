package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.controller.restart.RestartGuardPart;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.workload.CounterStore;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.kube.workload.RestartEntries.Entry;
import io.probelet.kube.workload.Workload;
import io.probelet.kube.workload.WorkloadBudget;
import io.probelet.web.part.ControllerContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two agents and a controller with the rights of deploy/, held by the policy, count restarts. */
@Tag("real-api")
@Timeout(300)
class RestartGuardRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final String SHOP = "probelet-guard-shop";
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir static Path directory;

  private final List<AutoCloseable> open = new ArrayList<>();

  private KubernetesClient client(Path kubeconfig) {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
    open.addFirst(client);
    return client;
  }

  private RestartEntries agent(RealApi api, String node, WorkloadBudget budget) throws Exception {
    api.client()
        .resource(new NodeBuilder().withNewMetadata().withName(node).endMetadata().build())
        .createOr(NonDeletingOperation::update);
    Pod pod =
        api.client()
            .resource(
                new PodBuilder()
                    .withNewMetadata()
                    .withName("agent-" + node)
                    .withNamespace(SYSTEM)
                    .endMetadata()
                    .withNewSpec()
                    .withServiceAccountName("probelet-agent")
                    .withNodeName(node)
                    .addNewContainer()
                    .withName("agent")
                    .withImage("probelet")
                    .endContainer()
                    .endSpec()
                    .build())
            .createOr(NonDeletingOperation::update);
    ApiServer server = ApiServer.of(client(api.kubeconfigOf(pod)), Duration.ofSeconds(10));
    return new RestartEntries(CounterStore.of(server, SYSTEM), node, SystemClock.INSTANCE, budget);
  }

  private static ReplicaSet workload(KubernetesClient admin) {
    admin
        .resource(new NamespaceBuilder().withNewMetadata().withName(SHOP).endMetadata().build())
        .createOr(NonDeletingOperation::update);
    return admin
        .resource(
            new ReplicaSetBuilder()
                .withNewMetadata()
                .withName("web")
                .withNamespace(SHOP)
                .endMetadata()
                .withNewSpec()
                .withReplicas(9)
                .withSelector(new LabelSelectorBuilder().addToMatchLabels("app", "web").build())
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build())
        .createOr(NonDeletingOperation::update);
  }

  @Test
  @DisplayName("D-9 D-12 two agents compete for the restarts that a controller allows")
  void race() throws Exception {
    try (RealApi api = RealApi.open(directory)) {
      api.assumeSince(RealApi.POLICIES);
      api.applyRights("deploy/daemonset.yaml");
      api.applyRights("deploy/controller.yaml");
      api.applyRights("deploy/variants/restart-guard.yaml");
      api.apply("deploy/admission-policy.yaml");
      ReplicaSet web = workload(api.client());
      Workload workload =
          Workload.of(SHOP, "apps/v1", "ReplicaSet", "web", web.getMetadata().getUid())
              .orElseThrow();
      RestartEntries one = agent(api, "probelet-guard-one", WorkloadBudget.RESTARTS);
      RestartEntries two = agent(api, "probelet-guard-two", WorkloadBudget.RESTARTS);
      ControllerContext context =
          new ControllerContext(
              "controller",
              SYSTEM,
              client(api.kubeconfigOf(SYSTEM, "probelet-controller")),
              new SimpleMeterRegistry(),
              SystemClock.INSTANCE,
              new Random());
      try (RestartGuardPart _ = new RestartGuardPart(context)) {
        await()
            .atMost(TIMEOUT)
            .untilAsserted(() ->
                assertThat(one.enter(workload, "first", 34, false)).isInstanceOf(Entry.In.class));
        await()
            .atMost(TIMEOUT)
            .until(() ->
                api
                    .client()
                    .leases()
                    .inNamespace(SYSTEM)
                    .withLabel("probelet.io/restarts")
                    .list()
                    .getItems()
                    .stream()
                    .anyMatch(lease ->
                        "9"
                            .equals(
                                lease.getMetadata().getAnnotations().get("probelet.io/replicas"))));
        assertThat(raced(workload, one, two)).as("three of nine, with the first").isEqualTo(2);
        assertThat(two.enter(workload, "late", 34, false)).isInstanceOf(Entry.Held.class);
        assertThat(one.leave(workload, Set.of("first"))).isEmpty();
        assertThat(two.enter(workload, "late", 34, false)).isInstanceOf(Entry.In.class);
        // D-22: the policy lets agents count pods that are not ready, and the controller helps.
        RestartEntries unready = agent(api, "probelet-guard-one", WorkloadBudget.READINESS);
        assertThat(unready.enter(workload, "first", 50, false)).isInstanceOf(Entry.In.class);
        await()
            .atMost(TIMEOUT)
            .until(() -> unready.enter(workload, "second", 50, false) instanceof Entry.In);
        assertThat(unready.leave(workload, Set.of("first", "second"))).isEmpty();
      } finally {
        for (AutoCloseable each : open) {
          each.close();
        }
        api.client().leases().inNamespace(SYSTEM).withLabel("probelet.io/restarts").delete();
        api.client().namespaces().withName(SHOP).delete();
      }
    }
  }

  /** How many of many pods of two nodes that ask at once are let. */
  private static long raced(Workload workload, RestartEntries one, RestartEntries two)
      throws Exception {
    long entered = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Entry>> entries = new ArrayList<>();
      for (int pod = 0; pod < 8; pod++) {
        RestartEntries agent = pod % 2 == 0 ? one : two;
        String name = "pod-" + pod;
        entries.add(threads.submit(() -> agent.enter(workload, name, 34, false)));
      }
      for (Future<Entry> entry : entries) {
        assertThat(entry.get()).isInstanceOfAny(Entry.In.class, Entry.Held.class);
        entered += entry.get() instanceof Entry.In ? 1 : 0;
      }
    }
    return entered;
  }
}
