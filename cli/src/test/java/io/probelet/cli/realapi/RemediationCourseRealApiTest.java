package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.probelet.agent.order.BusDaemon;
import io.probelet.agent.order.BusStandIn;
import io.probelet.cli.agent.AgentUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Issue 18: whole controller and whole agent, each with no right but its own and held by the
 * policies, a real API server, and a real D-Bus on which systemd and logind are ours.
 */
@Tag("real-api")
@Timeout(300)
class RemediationCourseRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final String SHOP = "default";
  private static final String NODE = "course-node";
  private static final String SILENT = "course-silent";

  @TempDir Path directory;
  private final List<AutoCloseable> started = new ArrayList<>();

  /** Each state of the orders to the node, as the API server has had it. */
  private final List<String> orders = new CopyOnWriteArrayList<>();

  private RealApi api;
  private KubernetesClient client;
  private BusStandIn systemd;
  private Path bootId;
  private Path agentKubeconfig;
  private AgentUnderTest agent;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    api.assumeSince(RealApi.POLICIES);
    client = api.client();
    for (String name :
        List.of(
            "nodehealthchecks.remediation.medik8s.io",
            "nodeorders.probelet.io",
            "servicerestartremediations.probelet.io",
            "rebootremediations.probelet.io",
            "rebootremediationtemplates.probelet.io",
            "drainremediations.probelet.io",
            "drainremediationtemplates.probelet.io")) {
      api.define("deploy/crds/" + name + ".yaml", name);
    }
    for (String file : List.of("00-namespace", "daemonset", "controller", "remediation")) {
      api.applyRights("deploy/" + file + ".yaml");
    }
    api.apply("deploy/admission-policy.yaml");
    for (String file :
        List.of("controller", "agents", "admission-policy", "service-restart", "reboot", "drain")) {
      api.apply("deploy/remediators/" + file + ".yaml");
    }
    for (String kind : List.of("reboot", "drain")) {
      api.collected("probelet-ext-remediation-" + kind, "probelet-controller");
    }
    node(NODE);
    node(SILENT);
    machine();
    api.apply("deploy/daemonset.yaml", "DaemonSet"); // nothing runs it here
    String agents =
        client
            .apps()
            .daemonSets()
            .inNamespace(SYSTEM)
            .withName("probelet-agent")
            .get()
            .getMetadata()
            .getUid();
    Pod pod = client.resource(pod("probelet-agent-course", SYSTEM, agents)).create();
    agentKubeconfig = api.kubeconfigOf(pod);
    started.add(
        client
            .genericKubernetesResources("probelet.io/v1alpha1", "NodeOrder")
            .inNamespace(SYSTEM)
            .withName(NODE)
            .watch(new Recorder()));
    agent = agent();
    started.add(controller());
  }

  @AfterEach
  void close() throws Exception {
    if (agent != null) {
      agent.close();
    }
    for (AutoCloseable one : started.reversed()) {
      one.close();
    }
    if (client != null) {
      client.pods().inNamespace(SHOP).withGracePeriod(0).delete();
      client.pods().inNamespace(SYSTEM).withName("probelet-agent-course").delete();
      client.apps().daemonSets().inNamespace(SYSTEM).withName("probelet-agent").delete();
      client.nodes().withName(NODE).delete();
      client.nodes().withName(SILENT).delete();
      api.close();
    }
  }

  /** Keeps what becomes of orders. */
  private final class Recorder implements Watcher<GenericKubernetesResource> {
    @Override
    public void eventReceived(Action action, GenericKubernetesResource order) {
      if (action != Action.DELETED) {
        orders.add(
            "%s %s%s"
                .formatted(
                    order.<String>get("spec", "action"),
                    Objects.toString(order.<Object>get("status", "phase"), "New"),
                    order.<Boolean>get("spec", "granted") ? ", granted" : ""));
      }
    }

    @Override
    public void onClose(WatcherException cause) {}
  }

  /** What the agent sees of its node, with a bus. */
  private void machine() throws IOException {
    Path random = Files.createDirectories(directory.resolve("host/proc/sys/kernel/random"));
    bootId = Files.writeString(random.resolve("boot_id"), "boot-1\n");
    Files.writeString(directory.resolve("host/proc/uptime"), "100.00 100.00\n");
    Files.createFile(directory.resolve("kmsg"));
    Path socket =
        Files.createDirectories(directory.resolve("host/run/dbus")).resolve("system_bus_socket");
    BusDaemon bus = BusDaemon.listeningAt(socket);
    started.add(bus);
    systemd = BusStandIn.start(bus.socket());
    started.add(systemd);
    systemd.units.put("kubelet.service", "active");
    Files.writeString(
        directory.resolve("agent.yaml"),
        """
        nodeMonitor: {monitors: [none], stateFolder: %s}
        orders: {enabled: true, units: [kubelet.service], reboot: true}
        """
            .formatted(directory.resolve("state")));
  }

  private AgentUnderTest agent() throws IOException {
    return AgentUnderTest.start(
        Map.of("POD_NAMESPACE", SYSTEM),
        "agent",
        "--kubeconfig=" + agentKubeconfig,
        "--config=" + directory.resolve("agent.yaml"),
        "--host-root=" + directory.resolve("host"),
        "--kmsg=" + directory.resolve("kmsg"),
        "--node-name=" + NODE,
        "--runtime-endpoint=none",
        "--listen=127.0.0.1:0");
  }

  private AgentUnderTest controller() throws IOException {
    return AgentUnderTest.start(
        Map.of("POD_NAMESPACE", SYSTEM, "PROBELET_WEBHOOK_LISTEN", "127.0.0.1:0"),
        "controller",
        "--kubeconfig=" + api.kubeconfigOf(SYSTEM, "probelet-controller"),
        "--parts=remediation,remediators",
        "--remediators=service-restart,reboot,drain",
        "--name=replica-1",
        "--listen=127.0.0.1:0");
  }

  @Test
  @DisplayName(
      "ACT-10, ACT-42, ACT-43, ACT-6, ACT-38: from the remediation to the unit and the reboot, with"
          + " evidence first, and back; a node without an agent fails, so that the next follows")
  void course() throws Exception {
    noAgent();
    restart();
    reboot();
    escalated();
  }

  private void restart() throws Exception {
    Resource<GenericKubernetesResource> restart =
        create("ServiceRestartRemediation", "{units: [kubelet.service]}");
    eventually(() ->
        assertThat(status(restart, "message"))
            .isEqualTo("restarted kubelet.service; the node still has Ready=False (not True)"));
    assertThat(systemd.calls).containsExactly("RestartUnit kubelet.service replace");
    evidence(restart);
    ready(NODE, "True");
    eventually(() -> assertThat(status(restart, "phase")).isEqualTo("Done"));
    assertThat(succeeded(restart)).isEqualTo("True");
    assertThat(systemd.calls).as("once").hasSize(1);
    assertThat(orders).containsExactlyElementsOf(course("Diagnose", "RestartServices"));
    restart.delete();
    eventually(() -> assertThat(restart.get()).isNull());
  }

  private void reboot() throws Exception {
    systemd.calls.clear();
    orders.clear();
    client.resource(pod("web", SHOP, null)).create();
    Resource<GenericKubernetesResource> reboot =
        create("RebootRemediation", "{drain: {timeout: 2m}}");
    eventually(() ->
        assertThat(client.pods().inNamespace(SHOP).withName("web").get().getMetadata())
            .satisfies(pod -> assertThat(pod.getDeletionTimestamp()).isNotNull()));
    assertThat(node().getSpec().getUnschedulable()).isTrue();
    assertThat(systemd.calls).as("before it is drained").isEmpty();
    evidence(reboot);
    client.pods().inNamespace(SHOP).withName("web").withGracePeriod(0).delete(); // as the kubelet

    eventually(() -> assertThat(systemd.calls).containsExactly("Reboot false"));
    agent.signal("KILL");
    var _ = agent.exitCode();
    Files.writeString(bootId, "boot-2\n");
    agent = agent();
    eventually(() -> assertThat(status(reboot, "phase")).isEqualTo("Waiting"));
    nodeStatus(NODE, "{\"nodeInfo\": {\"bootID\": \"boot-2\"}}"); // as the kubelet
    eventually(() -> assertThat(status(reboot, "phase")).isEqualTo("Done"));
    assertThat(succeeded(reboot)).isEqualTo("True");
    assertThat(orders).containsExactlyElementsOf(course("Diagnose", "Reboot"));
    assertThat(systemd.calls).as("once").hasSize(1);
    assertThat(node().getSpec().getUnschedulable()).as("until it is over").isTrue();
    reboot.delete();
    eventually(() -> assertThat(reboot.get()).isNull());
    assertThat(node().getSpec().getUnschedulable()).isNull();
  }

  /** What becomes of these orders, one after the other. */
  private static List<String> course(String... actions) {
    List<String> course = new ArrayList<>();
    for (String action : actions) {
      course.add(action + " New");
      course.add(action + " Claimed");
      course.add(action + " Claimed, granted");
      course.add(action + " Started, granted");
      course.add(action + " Done, granted");
    }
    return course;
  }

  /** The bundle that the remediation names is on the node. */
  private void evidence(Resource<GenericKubernetesResource> remediation) throws Exception {
    GenericKubernetesResource now = remediation.get();
    Path file =
        directory.resolve("state/evidence").resolve(now.<String>get("status", "evidence", "name"));
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    assertThat(now.<String>get("status", "evidence", "sha256"))
        .isEqualTo(HexFormat.of().formatHex(hash));
    assertThat(now.<List<String>>get("status", "evidence", "digest").getFirst())
        .startsWith("node " + NODE);
  }

  /** There is a NodeHealthCheck for the node that has no agent. */
  private void noAgent() {
    for (String template :
        List.of("Reboot; {answerWithin: 1s, drain: {timeout: 1m}}", "Drain; {timeout: 1m}")) {
      String[] parts = template.split("; ", 2);
      yaml(
          """
          apiVersion: probelet.io/v1alpha1
          kind: %sRemediationTemplate
          metadata: {name: course, namespace: %s}
          spec: {template: {spec: %s}}
          """
              .formatted(parts[0], SYSTEM, parts[1]));
    }
    yaml(
        """
        apiVersion: remediation.medik8s.io/v1alpha1
        kind: NodeHealthCheck
        metadata: {name: course}
        spec:
          selector: {matchLabels: {course: %s}}
          minHealthy: 0
          unhealthyConditions: [{type: Ready, status: "False", duration: 1s}]
          escalatingRemediations:
          - order: 1
            timeout: 5m
            remediationTemplate: {apiVersion: probelet.io/v1alpha1,
              kind: RebootRemediationTemplate, namespace: %s, name: course}
          - order: 2
            timeout: 5m
            remediationTemplate: {apiVersion: probelet.io/v1alpha1,
              kind: DrainRemediationTemplate, namespace: %s, name: course}
        """
            .formatted(SILENT, SYSTEM, SYSTEM));
  }

  private void escalated() {
    Resource<GenericKubernetesResource> first = resource("RebootRemediation", SYSTEM, SILENT);
    eventually(() -> assertThat(status(first, "phase")).isEqualTo("Failed"));
    assertThat(status(first, "message")).isEqualTo("no agent claimed the order in time");
    assertThat(succeeded(first)).isEqualTo("False");
    Resource<GenericKubernetesResource> next = resource("DrainRemediation", SYSTEM, SILENT);
    eventually(() -> assertThat(status(next, "phase")).isEqualTo("Done"));
    assertThat(status(next, "evidence")).contains("no agent claimed the order within 15 s");
    ready(SILENT, "True");
    eventually(() -> assertThat(next.get()).isNull());
    eventually(() -> assertThat(first.get()).isNull());
    assertThat(client.nodes().withName(SILENT).get().getSpec().getUnschedulable()).isNull();
  }

  private Resource<GenericKubernetesResource> create(String kind, String spec) {
    yaml(
        """
        apiVersion: probelet.io/v1alpha1
        kind: %s
        metadata: {name: %s, namespace: %s}
        spec: %s
        """
            .formatted(kind, NODE, SHOP, spec));
    return resource(kind, SHOP, NODE);
  }

  private void yaml(String text) {
    client.resource(Serialization.unmarshal(text, GenericKubernetesResource.class)).create();
  }

  private Resource<GenericKubernetesResource> resource(String kind, String namespace, String name) {
    return client
        .genericKubernetesResources("probelet.io/v1alpha1", kind)
        .inNamespace(namespace)
        .withName(name);
  }

  private static String status(Resource<GenericKubernetesResource> resource, String field) {
    return Objects.toString(resource.get().<Object>get("status", field));
  }

  private static String succeeded(Resource<GenericKubernetesResource> resource) {
    List<Map<String, String>> conditions = resource.get().get("status", "conditions");
    return conditions.stream()
        .filter(condition -> condition.get("type").equals("Succeeded"))
        .map(condition -> condition.get("status"))
        .findFirst()
        .orElse("");
  }

  private void node(String name) {
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("course", name)
                .endMetadata()
                .build())
        .createOr(NonDeletingOperation::update);
    nodeStatus(name, "{\"nodeInfo\": {\"bootID\": \"boot-1\"}}");
    ready(name, "False");
  }

  private Node node() {
    return client.nodes().withName(NODE).get();
  }

  private void ready(String node, String status) {
    nodeStatus(
        node,
        "{\"conditions\": [{\"type\": \"Ready\", \"status\": \"%s\", \"lastTransitionTime\":"
                .formatted(status)
            + " \"2026-01-01T00:00:00Z\"}]}");
  }

  private void nodeStatus(String node, String status) {
    client
        .nodes()
        .withName(node)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": " + status + "}");
  }

  private static Pod pod(String name, String namespace, @Nullable String daemonSetUid) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(namespace)
            .endMetadata()
            .withNewSpec()
            .withNodeName(NODE)
            .withServiceAccountName(daemonSetUid != null ? "probelet-agent" : "default")
            .addNewContainer()
            .withName("a")
            .withImage("a")
            .endContainer()
            .endSpec();
    if (daemonSetUid != null) { // or the drain would take it along, and its token with it
      pod.editMetadata()
          .addNewOwnerReference()
          .withApiVersion("apps/v1")
          .withKind("DaemonSet")
          .withName("probelet-agent")
          .withUid(daemonSetUid)
          .withController(true)
          .endOwnerReference()
          .endMetadata();
    }
    return pod.build();
  }

  private static void eventually(ThrowingRunnable condition) {
    await()
        .atMost(Duration.ofSeconds(90))
        .ignoreException(NullPointerException.class)
        .untilAsserted(condition);
  }
}
