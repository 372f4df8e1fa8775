package io.probelet.cli.realapi;

import static io.probelet.cli.realapi.AgentWrites.HERE;
import static io.probelet.cli.realapi.AgentWrites.SHOP;
import static io.probelet.cli.realapi.AgentWrites.SYSTEM;
import static io.probelet.cli.realapi.AgentWrites.THERE;
import static io.probelet.cli.realapi.AgentWrites.condition;
import static io.probelet.cli.realapi.AgentWrites.event;
import static io.probelet.cli.realapi.AgentWrites.evict;
import static io.probelet.cli.realapi.AgentWrites.gate;
import static io.probelet.cli.realapi.AgentWrites.lease;
import static io.probelet.cli.realapi.AgentWrites.merge;
import static io.probelet.cli.realapi.AgentWrites.nodeStatus;
import static io.probelet.cli.realapi.AgentWrites.podStatus;
import static io.probelet.cli.realapi.AgentWrites.pods;
import static io.probelet.cli.realapi.AgentWrites.renew;
import static io.probelet.cli.realapi.AgentWrites.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Issue 14, B3: what can be done with an agent's token where deploy/admission-policy.yaml is
 * applied. Its account has every right here, so that nothing but the policy can refuse.
 */
@Tag("real-api")
@Timeout(300)
class AdmissionPolicyRealApiTest {
  private static final List<String> FILES =
      List.of(
          "deploy/admission-policy.yaml",
          "deploy/remediators/admission-policy.yaml",
          "deploy/variants/admission-policy-evictions.yaml",
          "deploy/variants/admission-policy-events.yaml");
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir static Path directory;
  private static RealApi api;
  private static KubernetesClient admin;
  private static KubernetesClient agent;

  @BeforeAll
  static void open() throws Exception {
    api = RealApi.open(directory);
    api.assumeSince(RealApi.POLICIES);
    admin = api.client();
    api.define("deploy/crds/nodeorders.probelet.io.yaml", "nodeorders.probelet.io");
    namespace(SYSTEM);
    namespace(SHOP);
    api.applyRights("deploy/daemonset.yaml");
    api.everyRight(SYSTEM, "probelet-agent");
    for (String file : FILES) {
      api.apply(file);
    }
    node(HERE);
    Pod pod = pod(SYSTEM, "probelet-agent-policy", HERE);
    agent = client(api.kubeconfigOf(pod));
    node(THERE);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> {
          assertRefused(
              () -> nodeStatus(agent, THERE, condition("DiskFull")), "only to its own node");
          Pod away = pod(SHOP, "away", THERE); // parameters of a policy take longer
          assertRefused(() -> evict(agent, away), "evict only pods of its own node");
          assertRefused(() -> say(agent, event("first", away, "")), "only about pods of its own");
        });
  }

  @AfterAll
  static void close() {
    if (admin != null) {
      admin
          .pods()
          .inNamespace(SYSTEM)
          .withName("probelet-agent-policy")
          .withGracePeriod(0)
          .delete();
      admin.namespaces().withName(SHOP).delete();
      api.takeEveryRight("probelet-agent");
      if (agent != null) {
        agent.close();
      }
      api.close();
    }
  }

  @BeforeEach
  void world() {
    node(HERE);
    node(THERE);
    pod(SHOP, "here", HERE);
    pod(SHOP, "there", THERE);
    say(admin, event("of-the-kubelet", pod(SHOP, "here", HERE), "kubelet"));
    for (String name : List.of(HERE, THERE)) {
      admin.resource(OrderAttempts.order(name)).createOr(NonDeletingOperation::update);
    }
    for (String name : List.of(THERE, "probelet-remediation")) {
      admin.resource(lease(SYSTEM, name)).createOr(NonDeletingOperation::update);
    }
    admin
        .resource(OtherAttempts.counter(OtherAttempts.COUNTER, THERE))
        .createOr(NonDeletingOperation::update);
    admin.resource(lease(SHOP, HERE)).createOr(NonDeletingOperation::update);
  }

  @AfterEach
  void end() {
    admin.pods().inNamespace(SHOP).withGracePeriod(0).delete();
    admin.v1().events().inNamespace(SHOP).delete();
    admin.v1().events().inNamespace("default").delete();
    admin.resource(OrderAttempts.order(HERE)).delete();
    admin.resource(OrderAttempts.order(THERE)).delete();
    admin.leases().inNamespace(SYSTEM).delete();
    admin.leases().inNamespace(SHOP).delete();
    admin.nodes().withName(HERE).delete();
    admin.nodes().withName(THERE).delete();
  }

  static Stream<AccessAttempt> attempts() {
    return Stream.of(
            NodeAttempts.ownNode(),
            SizeAttempts.ownNode(),
            PodAttempts.ownPods(),
            SizeAttempts.ownPods(),
            OtherAttempts.events(),
            SizeAttempts.events(),
            OtherAttempts.leases(),
            SizeAttempts.leases(),
            OrderAttempts.orders(),
            OtherAttempts.counters())
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("attempts")
  @DisplayName("B3 with an agent's token")
  void token(AccessAttempt attempt) {
    if (attempt.why().isEmpty()) {
      assertThatCode(() -> attempt.write().accept(agent)).doesNotThrowAnyException();
    } else {
      assertRefused(() -> attempt.write().accept(agent), attempt.why());
    }
  }

  @Test
  @DisplayName("B3 a token without a node can write nothing")
  void unbound() throws Exception {
    try (KubernetesClient stray =
        client(api.kubeconfigOf(SYSTEM, "probelet-agent", new TokenRequest()))) {
      assertRefused(() -> nodeStatus(stray, HERE, condition("DiskFull")), "does not name its node");
      assertRefused(() -> gate(stray, "here", "True"), "does not name its node");
      assertRefused(
          () -> say(stray, event("a", pods(admin, "here").get(), "")),
          "its own node"); // either of two policies answers first
      assertRefused(() -> renew(stray, SYSTEM, HERE), "renew only the lease of its own node");
      assertRefused(
          () -> evict(stray, pods(admin, "here").get()), "evict only pods of its own node");
      assertRefused(() -> pods(stray, "here").delete(), "delete only pods of its own node");
    }
  }

  @Test
  @DisplayName("C2 restarts are counted only with the restart guard's permissions")
  void guard() throws Exception {
    Lease counter = OtherAttempts.counter(OtherAttempts.NEW, HERE);
    api.takeEveryRight("probelet-agent");
    try {
      await()
          .atMost(TIMEOUT)
          .untilAsserted(() ->
              assertRefused(
                  () -> agent.resource(counter).create(),
                  "only with the permissions of the restart guard"));
      api.applyRights("deploy/variants/restart-guard.yaml");
      await()
          .atMost(TIMEOUT)
          .untilAsserted(() ->
              assertThatCode(() -> agent.resource(counter).create()).doesNotThrowAnyException());
      OtherAttempts.patchCounter(agent, OtherAttempts.entry("\"a,b\""));
    } finally {
      api.everyRight(SYSTEM, "probelet-agent");
      admin.rbac().roles().inNamespace(SYSTEM).withName("probelet-agent-restarts").delete();
      await()
          .atMost(TIMEOUT)
          .untilAsserted(() -> agent.nodes().withName(HERE).get()); // rights take a moment
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"message\": \"done\\n12:00:00.000 WARN node=n2 forged\"",
        "\"message\": \"done\\u001b[2J\"",
        "\"message\": \"done\\u009b2J\"",
        "\"message\": \"done\\u2028next\"",
        "\"message\": \"done\\u202etxt\"",
        "\"bootID\": \"a b\"",
        "\"evidence\": {\"name\": \"../../../etc/passwd\"}",
        "\"evidence\": {\"name\": \"..\"}",
        "\"evidence\": {\"name\": \"a.tar.gz\", \"sha256\": \"no digest\"}",
        "\"evidence\": {\"name\": \"a.tar.gz\", \"digest\": [\"a\\nb\"]}"
      })
  @DisplayName("C1 the definition of an order refuses paths and text of more than one line")
  void orderTexts(String field) {
    assertThatThrownBy(() ->
            agent
                .resource(OrderAttempts.order(HERE))
                .subresource("status")
                .patch(merge(), "{\"status\": {\"phase\": \"Claimed\", " + field + "}}"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refused -> assertThat(refused.getCode()).as(refused.getMessage()).isEqualTo(422))
        .hasMessageContaining("should match");
  }

  @Test
  @DisplayName("C2 the policies stay within the server's cost limit for objects of any size")
  void largeObjects() {
    Map<String, String> many = new TreeMap<>();
    for (int i = 0; i < 300; i++) {
      many.put("example.com/annotation-" + i, "x".repeat(300));
    }
    admin.nodes().withName(HERE).edit(node -> annotated(node, many));
    nodeStatus(admin, HERE, "{\"status\": {\"images\": [" + images(50) + "]}}");
    for (int i = 0; i < 30; i++) {
      admin.nodes().withName(HERE).patch(by("manager-" + i), label("Node", HERE, i));
      pods(admin, "here").patch(by("manager-" + i), label("Pod", "here", i));
    }
    podStatus(
        admin, "here", "{\"status\": {\"initContainerStatuses\": [" + containers(100) + "]}}");
    nodeStatus(agent, HERE, condition("DiskFull"));
    nodeStatus(agent, HERE, condition("KernelDeadlock"));
    gate(agent, "here", "True");
    gate(agent, "here", "False");
    Map<String, String> nodes = new TreeMap<>();
    for (int i = 0; i < 4_000; i++) {
      nodes.put("restarts.probelet.io/node-" + i, "web-" + i);
    }
    admin
        .leases()
        .inNamespace(SYSTEM)
        .withName(OtherAttempts.COUNTER)
        .edit(lease -> {
          lease.getMetadata().getAnnotations().putAll(nodes);
          return lease;
        });
    OtherAttempts.patchCounter(agent, OtherAttempts.entry("\"a,b\""));
    OtherAttempts.patchCounter(agent, OtherAttempts.entry("null"));
  }

  private static Node annotated(Node node, Map<String, String> annotations) {
    node.getMetadata().getAnnotations().putAll(annotations);
    return node;
  }

  private static PatchContext by(String manager) {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager(manager)
        .withForce(true)
        .build();
  }

  private static String label(String kind, String name, int number) {
    return "{\"apiVersion\": \"v1\", \"kind\": \"%s\", \"metadata\": {\"name\": \"%s\", \"labels\": {\"l%d\": \"\"}}}"
        .formatted(kind, name, number);
  }

  private static String images(int count) {
    return IntStream.range(0, count)
        .mapToObj(i ->
            "{\"names\": [\"registry.example/image-%d@sha256:%s\", \"registry.example/image-%d:1\"], \"sizeBytes\": %d}"
                .formatted(i, "a".repeat(64), i, i))
        .collect(Collectors.joining(","));
  }

  private static String containers(int count) {
    return IntStream.range(0, count)
        .mapToObj(i ->
            "{\"name\": \"c%d\", \"image\": \"web:1\", \"imageID\": \"x\", \"ready\": true, \"restartCount\": 0,"
                    .formatted(i)
                + " \"state\": {\"running\": {\"startedAt\": \"2026-11-21T10:00:00Z\"}}}")
        .collect(Collectors.joining(","));
  }

  @Test
  @DisplayName("B3 the policies apply to agents only; others write as their roles allow")
  void others() {
    nodeStatus(admin, HERE, condition("SomethingElse"));
    gate(admin, "there", "True");
    say(admin, event("a", pods(admin, "there").get(), "kubelet"));
    renew(admin, SYSTEM, "anything");
    evict(admin, pods(admin, "there").get());
  }

  @Test
  @DisplayName("B3 the server finds no type errors in the policies' expressions")
  void types() throws Exception {
    api.checkPolicies();
    List<String> ours = new ArrayList<>();
    for (String file : FILES) {
      try (InputStream in = Files.newInputStream(Path.of("..").resolve(file))) {
        admin.load(in).items().stream()
            .filter(ValidatingAdmissionPolicy.class::isInstance)
            .forEach(policy -> ours.add(policy.getMetadata().getName()));
      }
    }
    assertThat(ours).isNotEmpty();
    for (String name : ours) {
      await()
          .atMost(TIMEOUT)
          .untilAsserted(() -> {
            ValidatingAdmissionPolicy policy =
                admin
                    .admissionRegistration()
                    .v1()
                    .validatingAdmissionPolicies()
                    .withName(name)
                    .get();
            assertThat(policy.getStatus()).as(name).isNotNull();
            assertThat(policy.getStatus().getObservedGeneration())
                .isEqualTo(policy.getMetadata().getGeneration());
            assertThat(policy.getStatus().getTypeChecking()).as(name).isNotNull();
            assertThat(policy.getStatus().getTypeChecking().getExpressionWarnings())
                .as(name)
                .isEmpty();
          });
    }
  }

  private static KubernetesClient client(Path kubeconfig) {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    config.setRequestRetryBackoffLimit(0);
    config.setUserAgent("probelet-agent-of-a-test"); // the name of the manager of what it writes
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static void assertRefused(Runnable write, String why) {
    assertThatThrownBy(write::run)
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refused -> assertThat(refused.getCode()).as(refused.getMessage()).isEqualTo(403))
        .hasMessageContaining("ValidatingAdmissionPolicy 'probelet-agent")
        .hasMessageContaining(why);
  }

  private static void namespace(String name) {
    admin
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .createOr(NonDeletingOperation::update);
  }

  /** A node as its kubelet has described it; made if it is not there. */
  private static void node(String name) {
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("zone", "a")
            .addToAnnotations("theirs", "1")
            .endMetadata()
            .build();
    if (admin.nodes().withName(name).get() == null) {
      admin.resource(node).create();
      nodeStatus(
          admin,
          name,
          """
          {"status": {"capacity": {"cpu": "4"}, "allocatable": {"cpu": "4"},
            "addresses": [{"type": "InternalIP", "address": "192.0.2.1"}],
            "images": [{"names": ["web:1"], "sizeBytes": 1}],
            "nodeInfo": {"kubeletVersion": "v1.36.2"},
            "conditions": [{"type": "Ready", "status": "True"}, {"type": "MemoryPressure", "status": "False"}]}}\
          """);
    }
  }

  /** A pod that its kubelet reports as running; made if it is not there. */
  private static Pod pod(String namespace, String name, String node) {
    Pod there = admin.pods().inNamespace(namespace).withName(name).get();
    if (there != null) {
      return there;
    }
    Pod created =
        admin
            .resource(
                new PodBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withNamespace(namespace)
                    .addToLabels("app", "shop")
                    .addToLabels("on", node)
                    .endMetadata()
                    .withNewSpec()
                    .withServiceAccountName("probelet-agent")
                    .withNodeName(node)
                    .addNewReadinessGate("probelet.io/ready")
                    .addNewContainer()
                    .withName("web")
                    .withImage("web:1")
                    .endContainer()
                    .endSpec()
                    .build())
            .create();
    admin
        .resource(created)
        .subresource("status")
        .patch(
            merge(),
            """
            {"status": {"phase": "Running", "podIP": "192.0.2.7", "podIPs": [{"ip": "192.0.2.7"}],
              "hostIP": "192.0.2.1", "hostIPs": [{"ip": "192.0.2.1"}],
              "conditions": [{"type": "Ready", "status": "False"}],
              "containerStatuses": [{"name": "web", "image": "web:1", "imageID": "x", "ready": true,
                "restartCount": 0, "containerID": "containerd://1"}]}}\
            """);
    return created;
  }
}
