package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.cli.agent.TargetServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Issue 4: the agent of deploy/, with the rights and under the policy that it has there. */
@Tag("real-api")
@Timeout(300)
class AgentRealApiTest {
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final String SYSTEM = "probelet-system";
  private static final String HERE = "probelet-agent-here";
  private static final String THERE = "probelet-agent-there";
  private static final String SHOP = "probelet-agent-shop";

  /** Whose kinds this server does not know: their operators bring them. */
  private static final List<String> OF_OTHERS =
      List.of("cert-manager.io/", "monitoring.coreos.com/");

  @TempDir static Path directory;
  private static RealApi api;
  private static KubernetesClient client;

  /** What the agent may, and what it uses. */
  private static Path kubeconfig;

  private TargetServer target;
  private AtomicInteger status;

  @BeforeAll
  static void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.applyRights("deploy/variants/daemonset-nonroot.yaml");
    if (api.isSince(RealApi.POLICIES)) {
      api.apply("deploy/admission-policy.yaml");
    }
    node(HERE);
    node(THERE);
    PodTemplateSpec template =
        objects(DEPLOY.resolve("variants").resolve("daemonset-nonroot.yaml")).stream()
            .filter(DaemonSet.class::isInstance)
            .map(each -> ((DaemonSet) each).getSpec().getTemplate())
            .findFirst()
            .orElseThrow();
    Pod agent =
        new PodBuilder()
            .withMetadata(template.getMetadata())
            .withSpec(template.getSpec())
            .editMetadata()
            .withName("probelet-agent-test")
            .withNamespace(SYSTEM)
            .endMetadata()
            .editSpec()
            .withNodeName(HERE)
            .endSpec()
            .build();
    kubeconfig = api.kubeconfigOf(client.resource(agent).create());
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(SHOP).endMetadata().build())
        .createOr(NonDeletingOperation::update);
  }

  @AfterAll
  static void close() {
    if (client != null) {
      client.pods().inNamespace(SYSTEM).withName("probelet-agent-test").withGracePeriod(0).delete();
      client.namespaces().withName(SHOP).delete();
      client.nodes().withName(HERE).delete();
      client.nodes().withName(THERE).delete();
      api.close();
    }
  }

  @BeforeEach
  void listen() throws IOException {
    target = new TargetServer();
    status = target.answer("/");
  }

  @AfterEach
  void stop() {
    target.close();
    client.pods().inNamespace(SHOP).withGracePeriod(0).delete();
  }

  static Stream<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(DEPLOY)) {
      return all
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !file.startsWith(DEPLOY.resolve("helm")))
          .filter(file -> !file.toString().endsWith("-patch.yaml")) // not an object
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  @DisplayName("Acceptance 4: the server accepts all of deploy/ with strict validation")
  void dryRun(Path file) throws IOException {
    if (file.getFileName().toString().startsWith("admission-policy")) {
      api.assumeSince(RealApi.POLICIES);
    }
    api.apply("deploy/" + DEPLOY.relativize(file), "Namespace"); // what is in it would not be found
    for (HasMetadata object : objects(file)) {
      if (OF_OTHERS.stream().anyMatch(object.getApiVersion()::startsWith)) {
        continue;
      }
      HasMetadata taken =
          client
              .resource(object)
              .dryRun()
              .fieldValidation(Validation.STRICT)
              .createOr(NonDeletingOperation::update);
      assertThat(taken.getMetadata().getUid()).as("%s", object).isNotEmpty();
    }
  }

  @Test
  @DisplayName(
      "Acceptance 2: without a runtime a pod whose liveness probe fails is evicted once its disruption budget allows it, with events")
  void evicts() throws Exception {
    api.assumeSince(RealApi.EVICTION);
    status.set(500);
    Budgets.put(api, client, SHOP, 0);
    create("failing", HERE, "liveness: {period: 200ms, failureThreshold: 2, " + target() + "}");
    try (AgentUnderTest agent = agent()) {
      eventually(() -> agent.lines().stream().anyMatch(line -> line.contains("disruption budget")));
      assertThat(pod("failing").getMetadata().getDeletionTimestamp()).isNull();

      Budgets.put(api, client, SHOP, 1);

      eventually(() -> isGoing("failing"));
      eventually(() -> event("failing", "Evicting").isPresent());
      Event unhealthy = event("failing", "Unhealthy").orElseThrow();
      assertThat(unhealthy.getMessage()).contains("Liveness probe failed");
      assertThat(unhealthy.getSource().getComponent()).isEqualTo("probelet");
      assertThat(unhealthy.getInvolvedObject().getFieldPath()).isEqualTo("spec.containers{web}");
      assertThat(client.leases().inNamespace(SYSTEM).withName(HERE).get()).isNotNull();
    }
  }

  @Test
  @DisplayName(
      "the agent owns the readiness gate by server-side apply, the kubelet everything else")
  void readiness() throws Exception {
    create("gated", HERE, "readiness: {period: 100ms, failureThreshold: 1, " + target() + "}");
    try (AgentUnderTest _ = agent()) {
      eventually(() -> RealApi.gate(pod("gated")).equals("True"));
      status.set(500);
      eventually(() -> RealApi.gate(pod("gated")).equals("False"));
    }
    assertThat(pod("gated").getStatus().getPodIP()).isEqualTo("127.0.0.1");
    assertThat(pod("gated").getMetadata().getManagedFields())
        .filteredOn(entry -> entry.getManager().equals("probelet"))
        .singleElement()
        .extracting(ManagedFieldsEntry::getOperation, ManagedFieldsEntry::getSubresource)
        .containsExactly("Apply", "status");
  }

  @Test
  @DisplayName(
      "issue 14, B3 and B5: under its roles and the policy an agent writes its conditions, without Secrets of its environment")
  void conditions() throws Exception {
    api.assumeSince(RealApi.POLICIES);
    api.apply("deploy/node-monitor.yaml");
    Path kmsg = Files.createFile(directory.resolve("kmsg"));
    Path plugin =
        Files.writeString(
            directory.resolve("plugin.yaml"),
            """
            plugin: custom
            source: environment
            pluginConfig: {invoke_interval: 1s, max_output_length: 4000, passEnv: [NODE_NAME]}
            conditions: [{type: NTPProblem, reason: AllIsWell, message: all is well}]
            rules: [{type: permanent, condition: NTPProblem, reason: Told, path: /bin/sh,
                     args: [-c, "env; exit 1"]}]
            """);
    Path off =
        Files.writeString(
            directory.resolve("off.yaml"),
            "{plugin: check, rules: [{check: clock, enabled: false}]}");
    Path own =
        Files.writeString(
            directory.resolve("own.yaml"),
            """
            plugin: kmsg
            source: own
            conditions: [{type: KernelDeadlock, reason: KernelHasNoDeadlock}]
            rules: [{type: permanent, condition: KernelDeadlock, reason: Stuck,
                     pattern: "worker is stuck"}]
            """);
    try (AgentUnderTest agent =
        AgentUnderTest.start(
            Map.of("SECRET", "s3cr3t", "NODE_NAME", HERE),
            "agent",
            "--kubeconfig=" + kubeconfig,
            "--runtime-endpoint=none",
            "--monitor=default," + plugin + "," + off + "," + own,
            "--kmsg=" + kmsg,
            "--listen=127.0.0.1:0")) {
      eventually(() -> condition("KernelDeadlock").equals("False"));
      Files.writeString(
          kmsg,
          """
          worker is stuck
          Killed process 1234 (foo) total-vm:1kB, anon-rss:1kB, file-rss:0kB
          """,
          StandardOpenOption.APPEND);
      eventually(() -> condition("KernelDeadlock").equals("True"));
      eventually(() -> condition("NTPProblem").equals("True"));
      assertThat(client.nodes().withName(HERE).get().toString())
          .contains("NODE_NAME=" + HERE)
          .doesNotContain("s3cr3t");
      eventually(() ->
          client.v1().events().inNamespace("default").list().getItems().stream()
              .anyMatch(event ->
                  event.getReason().equals("OOMKilling")
                      && event.getInvolvedObject().getName().equals(HERE)));
      assertThat(agent.lines()).noneMatch(line -> line.contains("forbidden"));
    }
  }

  /** The status of a condition of the agent's Node; empty if it has none. */
  private static String condition(String type) {
    return client.nodes().withName(HERE).get().getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .map(NodeCondition::getStatus)
        .findFirst()
        .orElse("");
  }

  private AgentUnderTest agent() throws IOException {
    return AgentUnderTest.start(
        "agent",
        "--kubeconfig=" + kubeconfig,
        "--node-name=" + HERE,
        "--runtime-endpoint=none",
        "--monitor=none",
        "--listen=127.0.0.1:0");
  }

  private static List<HasMetadata> objects(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return client.load(in).items();
    }
  }

  private static void node(String name) {
    client
        .resource(new NodeBuilder().withNewMetadata().withName(name).endMetadata().build())
        .createOr(NonDeletingOperation::update);
  }

  private String target() {
    return "httpGet: {port: " + target.port() + "}";
  }

  /** A pod that its kubelet reports as running. */
  private static Pod create(String name, String node, String probes) {
    Pod created =
        client
            .resource(
                new PodBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withNamespace(SHOP)
                    .addToLabels("app", "shop")
                    .addToAnnotations("probelet.io/probes", "web: {" + probes + "}")
                    .endMetadata()
                    .withNewSpec()
                    .withNodeName(node)
                    .addNewReadinessGate("probelet.io/ready")
                    .addNewContainer()
                    .withName("web")
                    .withImage("web:1")
                    .endContainer()
                    .endSpec()
                    .build())
            .create();
    return client
        .resource(created)
        .editStatus(pod ->
            new PodBuilder(pod)
                .editOrNewStatus()
                .withPhase("Running")
                .withPodIP("127.0.0.1")
                .withStartTime("2026-11-21T10:00:00Z")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .addNewContainerStatus()
                .withName("web")
                .withImage("web:1")
                .withImageID("sha256:1")
                .withReady(true)
                .withStarted(true)
                .withRestartCount(0)
                .withContainerID("containerd://" + name)
                .withNewState()
                .withNewRunning("2026-11-21T10:00:00Z")
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
  }

  private static Pod pod(String name) {
    return client.pods().inNamespace(SHOP).withName(name).get();
  }

  private static boolean isGoing(String name) {
    Pod pod = pod(name);
    return pod == null || pod.getMetadata().getDeletionTimestamp() != null;
  }

  private static Optional<Event> event(String pod, String reason) {
    return client.v1().events().inNamespace(SHOP).list().getItems().stream()
        .filter(event ->
            event.getReason().equals(reason) && event.getInvolvedObject().getName().equals(pod))
        .findFirst();
  }

  private static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).until(condition);
  }
}
