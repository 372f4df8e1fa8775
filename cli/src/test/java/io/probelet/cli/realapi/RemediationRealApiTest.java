package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.probelet.cli.agent.AgentUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Issue 5: whole controllers, with no right but theirs, and the example remediator, with the
 * example NodeHealthCheck.
 */
@Tag("real-api")
@Timeout(300)
class RemediationRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final String CHECK = "example";
  private static final String FIRST = "ExampleRebootRemediation";
  private static final String SECOND = "ExampleReplaceRemediation";
  private static final Duration LEASE = Duration.ofSeconds(15);

  /** What a lease's polls and a busy machine may take on top. */
  private static final Duration SLACK = Duration.ofMinutes(1);

  @TempDir static Path directory;
  private static RealApi api;
  private static KubernetesClient client;
  private static Path kubeconfig;

  private final List<AutoCloseable> started = new ArrayList<>();

  @BeforeAll
  static void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.define(
        "deploy/crds/nodehealthchecks.remediation.medik8s.io.yaml",
        "nodehealthchecks.remediation.medik8s.io");
    api.apply("deploy/00-namespace.yaml");
    api.applyRights("deploy/controller.yaml");
    api.applyRights("deploy/remediation.yaml");
    api.apply("examples/remediator/remediator.yaml");
    api.collected("example-remediator-for-probelet", "probelet-controller");
    kubeconfig = api.kubeconfigOf(SYSTEM, "probelet-controller");
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> remediations(FIRST).isEmpty() && remediations(SECOND).isEmpty());
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .untilAsserted(() -> api.apply("examples/remediator/nhc.yaml"));
    node("worker-well");
    node("worker-as-well");
  }

  @AfterAll
  static void close() {
    if (api != null) {
      api.close();
    }
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable one : started.reversed()) {
      one.close();
    }
    client.leases().inNamespace(SYSTEM).withName("probelet-remediation").delete();
  }

  @Test
  @DisplayName("Acceptance 3: Unknown, remediation, timed out, next one, Ready, both are gone")
  void escalation() throws Exception {
    controller("replica-1");
    remediator("examplerebootremediations.example.probelet.io");
    remediator("examplereplaceremediations.example.probelet.io");
    node("worker-1");

    ready("worker-1", "Unknown");

    eventually(() -> succeeded(FIRST, "worker-1").equals("Unknown"));
    assertThat(remediation(SECOND, "worker-1").get()).isNull();
    assertThat(lease("medik8s-leases", "node-worker-1").getSpec().getHolderIdentity())
        .isEqualTo("NodeHealthCheck-example");

    await()
        .atMost(Duration.ofSeconds(100))
        .until(() -> remediation(SECOND, "worker-1").get() != null);
    assertThat(remediation(FIRST, "worker-1").get().getMetadata().getAnnotations())
        .containsKey("remediation.medik8s.io/nhc-timed-out");

    remediation(SECOND, "worker-1")
        .edit(resource -> {
          resource.getMetadata().getAnnotations().put("example.probelet.io/outcome", "succeed");
          return resource;
        });
    eventually(() -> succeeded(SECOND, "worker-1").equals("True"));

    ready("worker-1", "True");

    eventually(() -> remediations(FIRST).isEmpty() && remediations(SECOND).isEmpty());
    eventually(() -> lease("medik8s-leases", "node-worker-1") == null);
    eventually(() -> phase().equals("Enabled"));
  }

  /** When the leader is killed. */
  enum Moment {
    BEFORE_THE_NODE_IS_UNHEALTHY {
      @Override
      boolean hasCome(String node) {
        return true;
      }
    },
    WHEN_THE_NODE_IS_LEASED {
      @Override
      boolean hasCome(String node) {
        return lease("medik8s-leases", "node-" + node) != null;
      }
    },
    WHEN_THERE_IS_A_REMEDIATION {
      @Override
      boolean hasCome(String node) {
        return remediation(FIRST, node).get() != null;
      }
    };

    abstract boolean hasCome(String node);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "Acceptance 4: kill -9 of the leader; another takes over in time, nothing is doubled")
  void killed(Moment moment) throws Exception {
    Pair pair = pair();
    String node = "worker-" + moment.name().toLowerCase(Locale.ROOT).replace('_', '-');
    node(node);
    if (moment != Moment.BEFORE_THE_NODE_IS_UNHEALTHY) {
      ready(node, "Unknown");
    }
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofMinutes(1))
        .until(() -> moment.hasCome(node));
    pair.leader().signal("KILL");
    Lease last = lease(SYSTEM, "probelet-remediation");
    if (moment == Moment.BEFORE_THE_NODE_IS_UNHEALTHY) {
      ready(node, "Unknown");
    }

    await().atMost(LEASE.plus(SLACK)).until(() -> leaderName().equals(pair.otherName()));
    Lease taken = lease(SYSTEM, "probelet-remediation");
    assertThat(
            Duration.between(
                last.getSpec().getRenewTime().toInstant(),
                taken.getSpec().getAcquireTime().toInstant()))
        .as("not before the lease has run out, and soon afterwards")
        .isBetween(LEASE.minusSeconds(1), LEASE.plus(SLACK));

    eventually(() -> remediation(FIRST, node).get() != null);
    String uid = remediation(FIRST, node).get().getMetadata().getUid();
    eventually(() -> phase().equals("Remediating"));
    assertThat(remediations(FIRST)).extracting(one -> one.getMetadata().getUid()).containsOnly(uid);
    assertThat(remediations(SECOND)).isEmpty();

    ready(node, "True");
    eventually(() -> remediations(FIRST).isEmpty() && phase().equals("Enabled"));
  }

  @Test
  @DisplayName(
      "N-1 a leader that was frozen for longer than its lease writes nothing when it wakes")
  void frozen() throws Exception {
    Pair pair = pair();
    node("worker-f");
    pair.leader().signal("STOP");
    ready("worker-f", "Unknown");
    await().atMost(LEASE.plus(SLACK)).until(() -> leaderName().equals(pair.otherName()));
    eventually(() -> remediation(FIRST, "worker-f").get() != null);
    eventually(() -> phase().equals("Remediating"));
    ready("worker-f", "True");
    eventually(() -> remediations(FIRST).isEmpty() && phase().equals("Enabled"));
    eventually(() -> lease("medik8s-leases", "node-worker-f") == null);
    List<String> before = settled();

    pair.leader().signal("CONT");

    eventually(
        () -> pair.leader().lines().stream().anyMatch(line -> line.contains("lost leadership")));
    await()
        .during(Duration.ofSeconds(4))
        .atMost(Duration.ofMinutes(1))
        .until(() -> versions().equals(before));
    assertThat(leaderName()).isEqualTo(pair.otherName());
  }

  @Test
  @DisplayName(
      "R-22 rights on a remediator's kinds: none, to read only, all; each is told, and felt")
  void rights() throws Exception {
    node("worker-r");
    ready("worker-r", "True");
    var bindings = client.rbac().clusterRoleBindings();
    bindings.withName("example-remediator-for-probelet-probelet-controller").delete();
    controller("replica-1");
    eventually(() -> phase().equals("Disabled"));
    assertThat(reason())
        .contains("RightsMissing", "may not list example", "verbs: [get, list, watch")
        .contains("rbac.ext-remediation/aggregate-to-ext-remediation: \"true\"");

    client
        .resource(
            new ClusterRoleBuilder()
                .withNewMetadata()
                .withName("reads-remediations")
                .endMetadata()
                .addNewRule()
                .withApiGroups("example.probelet.io")
                .withResources("*")
                .withVerbs("get", "list", "watch")
                .endRule()
                .build())
        .createOr(NonDeletingOperation::update);
    api.collected("reads-remediations", "probelet-controller");
    await().atMost(Duration.ofMinutes(1)).until(() -> phase().equals("Enabled"));

    ready("worker-r", "Unknown");
    eventually(() -> phase().equals("Disabled"));
    assertThat(reason()).contains("RightsMissing", "may not create examplerebootremediations");

    api.collected("example-remediator-for-probelet", "probelet-controller");
    await().atMost(Duration.ofMinutes(1)).until(() -> remediation(FIRST, "worker-r").get() != null);
    ready("worker-r", "True");
    eventually(() -> remediations(FIRST).isEmpty() && phase().equals("Enabled"));
    bindings.withName("reads-remediations-probelet-controller").delete();
  }

  private static String reason() {
    return String.valueOf(check().get().<Object>get("status", "reason"));
  }

  private record Pair(AgentUnderTest leader, String otherName) {}

  /** Two replicas, one of which leads. */
  private Pair pair() throws IOException {
    AgentUnderTest one = controller("replica-1");
    AgentUnderTest two = controller("replica-2");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !leaderName().isEmpty() && phase().equals("Enabled"));
    return leaderName().equals("replica-1")
        ? new Pair(one, "replica-2")
        : new Pair(two, "replica-1");
  }

  /** The versions of all that a leader writes, once they have stopped changing. */
  private static List<String> settled() {
    List<String> last = new ArrayList<>(versions());
    await()
        .pollInterval(Duration.ofSeconds(2))
        .atMost(Duration.ofMinutes(1))
        .until(() -> {
          List<String> now = versions();
          boolean same = now.equals(last);
          last.clear();
          last.addAll(now);
          return same;
        });
    return last;
  }

  private static List<String> versions() {
    return Stream.of(
            List.of(check().get()),
            remediations(FIRST),
            remediations(SECOND),
            client.leases().inNamespace("medik8s-leases").list().getItems(),
            client.v1().events().inNamespace("default").list().getItems())
        .flatMap(List::stream)
        .map(HasMetadata.class::cast)
        .map(object ->
            object.getMetadata().getName() + "@" + object.getMetadata().getResourceVersion())
        .sorted()
        .toList();
  }

  private AgentUnderTest controller(String name) throws IOException {
    AgentUnderTest controller =
        AgentUnderTest.start(
            Map.of("POD_NAMESPACE", SYSTEM, "PROBELET_WEBHOOK_LISTEN", "127.0.0.1:0"),
            "controller",
            "--kubeconfig=" + kubeconfig,
            "--name=" + name,
            "--listen=127.0.0.1:0");
    started.add(controller);
    return controller;
  }

  private void remediator(String kind) throws IOException {
    started.add(Remediator.start(api.kubeconfig(), kind, directory.resolve(kind + ".log")));
  }

  private static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofMinutes(2)).until(condition);
  }

  private static void node(String name) {
    client
        .resource(new NodeBuilder().withNewMetadata().withName(name).endMetadata().build())
        .createOr(NonDeletingOperation::update);
  }

  /** As if it had been so for five minutes. */
  private static void ready(String node, String status) {
    Instant since = Instant.now().minus(Duration.ofMinutes(5)).truncatedTo(ChronoUnit.SECONDS);
    client
        .nodes()
        .withName(node)
        .editStatus(old ->
            new NodeBuilder(old)
                .editOrNewStatus()
                .removeMatchingFromConditions(one -> one.getType().equals("Ready"))
                .addNewCondition()
                .withType("Ready")
                .withStatus(status)
                .withLastTransitionTime(since.toString())
                .endCondition()
                .endStatus()
                .build());
  }

  /** The replica that leads; empty if none does. */
  private static String leaderName() {
    Lease lease = lease(SYSTEM, "probelet-remediation");
    String holder = lease == null ? null : lease.getSpec().getHolderIdentity();
    return holder == null || holder.isEmpty() ? "" : holder.substring(0, holder.indexOf('_'));
  }

  private static Lease lease(String namespace, String name) {
    return client.leases().inNamespace(namespace).withName(name).get();
  }

  private static Resource<GenericKubernetesResource> check() {
    return client
        .genericKubernetesResources("remediation.medik8s.io/v1alpha1", "NodeHealthCheck")
        .withName(CHECK);
  }

  private static String phase() {
    return String.valueOf(check().get().<Object>get("status", "phase"));
  }

  private static List<GenericKubernetesResource> remediations(String kind) {
    return client
        .genericKubernetesResources("example.probelet.io/v1", kind)
        .inNamespace("default")
        .list()
        .getItems();
  }

  private static Resource<GenericKubernetesResource> remediation(String kind, String node) {
    return client
        .genericKubernetesResources("example.probelet.io/v1", kind)
        .inNamespace("default")
        .withName(node);
  }

  /** What the remediator says of it; empty if nothing yet. */
  private static String succeeded(String kind, String node) {
    GenericKubernetesResource resource = remediation(kind, node).get();
    List<Map<String, String>> conditions =
        resource == null ? null : resource.get("status", "conditions");
    return conditions == null
        ? ""
        : conditions.stream()
            .filter(condition -> condition.get("type").equals("Succeeded"))
            .map(condition -> condition.get("status"))
            .findFirst()
            .orElse("");
  }
}
