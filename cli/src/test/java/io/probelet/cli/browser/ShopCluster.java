package io.probelet.cli.browser;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.health.SystemClock;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A cluster of which only the API server is made up: a real controller remediates its nodes. One of
 * them is being drained and does not get on, one flaps, one waits.
 */
final class ShopCluster implements AutoCloseable {
  static final String SYSTEM = "probelet-system";

  /** Its drain is held up by a PodDisruptionBudget. */
  static final String STUCK = "worker-b-3";

  /** Its link goes down and comes up again. */
  static final String FLAPPING = "worker-c-5";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PER_ZONE = 12;
  private static final String REFUSED =
      "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget db"
          + " needs 1 healthy pods and has 1 currently";

  private final FakeApiServer server;
  private final Path kubeconfig;
  private final AgentUnderTest controller;

  private ShopCluster(FakeApiServer server, Path kubeconfig, AgentUnderTest controller) {
    this.server = server;
    this.kubeconfig = kubeconfig;
    this.controller = controller;
  }

  static ShopCluster start(Path directory) throws IOException {
    FakeApiServer server = new FakeApiServer();
    server.serve(
        "probelet.io/v1alpha1",
        "DrainRemediation",
        "DrainRemediationTemplate",
        "RebootRemediation",
        "RebootRemediationTemplate",
        "RemediationPolicy",
        "ClusterHealth");
    server.serve("remediation.medik8s.io/v1alpha1", "NodeHealthCheck");
    for (String zone : new String[] {"a", "b", "c"}) {
      for (int i = 0; i < PER_ZONE; i++) {
        server.put(node(zone, i));
      }
    }
    Pattern.compile("(?m)^---$").splitAsStream(resources()).forEach(server::put);
    Instant now = SystemClock.INSTANCE.wallTime();
    server.patch(
        "/apis/probelet.io/v1alpha1/remediationpolicies/then-a-human",
        "status: {nodes: 12, remediating: 0, held: 0, lastHour: 0, recent: {%s, %s, %s}}"
            .formatted(remembered(now, 70), remembered(now, 190), remembered(now, 430)));
    server.faults().refuse("/eviction", 429, REFUSED);
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
    AgentUnderTest controller =
        AgentUnderTest.start(
            Map.of("POD_NAMESPACE", SYSTEM),
            "controller",
            "--kubeconfig=" + kubeconfig,
            "--parts=remediation,remediators",
            "--remediators=drain",
            "--name=controller-0",
            "--listen=127.0.0.1:0");
    return new ShopCluster(server, kubeconfig, controller);
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  /** Makes the API server's proxy answer what the controller says now. */
  void answerForController() throws IOException, InterruptedException {
    ObjectNode answer = (ObjectNode) JSON.readTree(controller.get("/api/v1/remediation"));
    answer.setAll((ObjectNode) JSON.readTree(controller.get("/api/v1/remediators")));
    answer.put("apiVersion", "v1").put("kind", "Pod");
    answer.putObject("metadata").put("name", "controller-0:20258").put("namespace", SYSTEM);
    server.put(answer);
  }

  private static String remembered(Instant now, int minutes) {
    return "\"%s %s\": DrainRemediation"
        .formatted(now.minus(Duration.ofMinutes(minutes)).truncatedTo(ChronoUnit.MILLIS), FLAPPING);
  }

  private static String resources() {
    return """
    kind: Pod
    metadata: {name: db-0, namespace: shop, uid: u-db-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u-db, controller: true}]}
    spec: {nodeName: worker-b-3, containers: [{name: postgres, image: postgres}]}
    status: {phase: Running}
    ---
    apiVersion: probelet.io/v1alpha1
    kind: DrainRemediationTemplate
    metadata: {name: gently, namespace: probelet-system}
    spec: {template: {spec: {}}}
    ---
    apiVersion: probelet.io/v1alpha1
    kind: RebootRemediationTemplate
    metadata: {name: reboot, namespace: probelet-system}
    spec: {template: {spec: {}}}
    ---
    apiVersion: probelet.io/v1alpha1
    kind: RemediationPolicy
    metadata: {name: one-at-a-time, uid: u-one}
    spec: {selector: {matchLabels: {topology.kubernetes.io/zone: zone-b}}, maxNodes: 1}
    ---
    apiVersion: probelet.io/v1alpha1
    kind: RemediationPolicy
    metadata: {name: then-a-human, uid: u-human}
    spec: {selector: {matchLabels: {topology.kubernetes.io/zone: zone-c}}, backstop: {times: 3, within: 24h}}
    ---
    apiVersion: remediation.medik8s.io/v1alpha1
    kind: NodeHealthCheck
    metadata: {name: workers, uid: u-workers, generation: 1}
    spec:
      selector: {matchLabels: {role: worker}}
      minHealthy: 51%
      unhealthyConditions:
      - {type: Ready, status: Unknown, duration: 2m}
      - {type: LinkDown, status: "True", duration: 2m}
      escalatingRemediations:
      - {order: 1, timeout: 15m, remediationTemplate: {apiVersion: probelet.io/v1alpha1, kind: DrainRemediationTemplate, name: gently, namespace: probelet-system}}
      - {order: 2, timeout: 10m, remediationTemplate: {apiVersion: probelet.io/v1alpha1, kind: RebootRemediationTemplate, name: reboot, namespace: probelet-system}}
    """;
  }

  private static String node(String zone, int number) {
    String name = "worker-%s-%d".formatted(zone, number);
    Instant now = SystemClock.INSTANCE.wallTime();
    Instant long_ago = now.minus(Duration.ofDays(12));
    boolean silent = name.equals(STUCK) || name.equals("worker-b-4");
    boolean flaps = name.equals(FLAPPING);
    return """
    apiVersion: v1
    kind: Node
    metadata:
      name: %s
      uid: u-%s
      creationTimestamp: "%s"
      labels: {role: worker, topology.kubernetes.io/zone: zone-%s, topology.kubernetes.io/rack: rack-%s%d}
    status:
      conditions:
      - {type: Ready, status: "%s", reason: %s, message: "%s", lastTransitionTime: "%s"}
      - {type: LinkDown, status: "%s", reason: %s, message: "%s", lastTransitionTime: "%s"}
      - {type: DiskPressure, status: "False", reason: KubeletHasNoDiskPressure, message: kubelet has no disk pressure, lastTransitionTime: "%s"}
    """
        .formatted(
            name,
            name,
            long_ago,
            zone,
            zone,
            number / 4,
            silent ? "Unknown" : "True",
            silent ? "NodeStatusUnknown" : "KubeletReady",
            silent ? "Kubelet stopped posting node status." : "kubelet is posting ready status",
            silent ? now.minus(Duration.ofMinutes(9)) : long_ago,
            flaps ? "True" : "False",
            flaps ? "Flapping" : "LinksAreUp",
            flaps ? "changed at least 6 times within 10m0s; now NoCarrier" : "all links are up",
            flaps ? now.minus(Duration.ofMinutes(6)) : long_ago,
            long_ago);
  }

  @Override
  public void close() throws IOException {
    try (server;
        controller) {
      controller.signal("TERM");
      controller.exitCode();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }
}
