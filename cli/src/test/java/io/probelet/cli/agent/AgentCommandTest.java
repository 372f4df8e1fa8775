package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.cluster.ApiPods;
import io.probelet.health.Certificates;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.access.TlsFront;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;

/** {@code probelet agent} from outside: an API server in, and what HTTP and the console tell. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class AgentCommandTest {
  @TempDir Path home;
  private FakeApiServer api;
  private TargetServer target;
  private AtomicInteger status;
  private Path kubeconfig;
  private Path noGuard;

  @BeforeEach
  void start() throws IOException {
    api = new FakeApiServer();
    target = new TargetServer();
    status = target.answer("/");
    kubeconfig = home.resolve("kubeconfig");
    Files.writeString(kubeconfig, api.kubeconfig());
    // Others may starve this machine, which would hold restarts.
    noGuard = Files.writeString(home.resolve("no-guard.yaml"), "guard: {enabled: false}\n");
  }

  @AfterEach
  void stop() {
    target.close();
    api.close();
  }

  /** With more patience than a busy machine takes: it fails when the target says so. */
  private String probed(String name) {
    return ApiPods.pod(
        name,
        "\"probelet.io/probes\": \"web: {liveness: {period: 100ms, timeout: 1m}}\"",
        "\"livenessProbe\": {\"httpGet\": {\"port\": %d}}".formatted(target.port()));
  }

  private AgentUnderTest agent() throws IOException {
    return AgentUnderTest.start(
        "agent",
        "--kubeconfig=" + kubeconfig,
        "--config=" + noGuard,
        "--node-name=here",
        "--runtime-endpoint=none",
        "--monitor=none",
        "--listen=127.0.0.1:0");
  }

  @Test
  @DisplayName("probes pods as the API server adds, changes and deletes them")
  void follows() throws Exception {
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> agent.get("/readyz").equals("ok\n"));
      api.put(probed("a"));
      patiently()
          .until(() ->
              agent.container().at("/probes/0/consecutive").asInt() > 2
                  && agent.container().at("/probes/0/result").asText().equals("Success"));
      assertThat(agent.container().path("id").asText()).isEqualTo("id-a");
      status.set(500);
      patiently()
          .until(() ->
              agent.lines().stream().anyMatch(line -> line.contains("a/web liveness failed 3/3")));
      patiently().until(() -> !api.writes("/pods/a/eviction").isEmpty());
      FakeApiServer.Request eviction = api.writes("/pods/a/eviction").getFirst();
      assertThat(eviction.body())
          .contains("\"uid\":\"uid-a\"", "\"gracePeriodSeconds\":7", "policy/v1");
      // Where the machine is busy, a probe may fail for another reason first.
      patiently()
          .untilAsserted(() ->
              assertThat(api.writes("/namespaces/shop/events"))
                  .extracting(FakeApiServer.Request::body)
                  .anyMatch(body ->
                      body.contains("\"reason\":\"Unhealthy\"")
                          && body.contains(
                              "Liveness probe failed: HTTP probe failed with statuscode: 500")
                          && body.contains("spec.containers{web}"))
                  .anyMatch(body ->
                      body.contains("\"reason\":\"Evicting\"")
                          && body.contains(
                              "Container web failed liveness probe, its pod will be evicted")));
      api.delete("/api/v1/namespaces/shop/pods/a");
      patiently().until(() -> agent.containers().isEmpty());
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
      assertThat(agent.lines()).noneMatch(line -> line.startsWith("\tat "));
    }
  }

  @Test
  @DisplayName("retries an eviction that a disruption budget refuses; never evicts an observed pod")
  void budgetAndObserve() throws Exception {
    status.set(500);
    api.faults().failNextWrite(429, "Cannot evict pod as it would violate the budget", "");
    api.put(
        probed("b")
            .replace(
                "\"annotations\": {",
                "\"annotations\": {\"probelet.io/enforcement\": \"observe\", "));
    try (AgentUnderTest agent = agent()) {
      patiently()
          .until(() ->
              agent
                  .get("/metrics")
                  .lines()
                  .anyMatch(line ->
                      line.startsWith("probelet_restarts_kept_total{node=\"here\",reason=\"obs")
                          && !line.endsWith(" 0.0")));
      assertThat(api.writes("/eviction")).isEmpty();
      assertThat(api.writes("/events")).noneMatch(each -> each.body().contains("Evicting"));
      agent.signal("TERM");
      agent.exitCode();
    }
  }

  @Test
  @DisplayName("D-6: an event on the pod reports a refused eviction until the pod is evicted")
  void budgetRefuses() throws Exception {
    status.set(500);
    String refused = "Cannot evict pod as it would violate the pod's disruption budget.";
    api.faults().refuse("/pods/b/eviction", 429, refused);
    api.put(probed("b"));
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> api.writes("/pods/b/eviction").size() >= 2);
      patiently().until(() -> events("FailedEviction").size() == 1);
      assertThat(events("FailedEviction").getFirst().path("message").asText())
          .startsWith("Eviction refused, retrying: ")
          .endsWith("429 " + refused);
      assertThat(events("Evicting")).hasSize(1);
      api.faults().refuse(null, 0, "");
      int before = api.writes("/pods/b/eviction").size();
      patiently().until(() -> api.writes("/pods/b/eviction").size() > before);
      assertThat(agent.lines()).anyMatch(line -> line.contains("b/web evicting, grace 7s: "));
    }
    assertThat(events("FailedEviction")).hasSize(1);
  }

  private List<ObjectNode> events(String reason) {
    return api.events().stream()
        .filter(each -> each.path("reason").asText().equals(reason))
        .toList();
  }

  @Test
  @DisplayName("the readiness gate follows the extended probe; the lease is valid for 60 s")
  void readinessAndLease() throws Exception {
    String pod =
        ApiPods.pod(
                "r",
                "\"probelet.io/probes\": \"web: {readiness: {period: 100ms, timeout: 1m, failureThreshold: 1,"
                    + " httpGet: {port: %d}}}\"".formatted(target.port()),
                "")
            .replace(
                "\"restartPolicy\"",
                "\"readinessGates\": [{\"conditionType\": \"probelet.io/ready\"}],"
                    + " \"restartPolicy\"");
    api.faults().failNextWrite(500, "not now", "");
    api.put(pod);
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> conditions().contains("True"));
      status.set(500);
      patiently().until(() -> conditions().getLast().equals("False"));
      status.set(200);
      patiently().until(() -> conditions().getLast().equals("True"));
      FakeApiServer.Request patch = api.writes("/pods/r/status").getLast();
      assertThat(patch.query()).containsEntry("fieldManager", "probelet");
      assertThat(patch.body())
          .contains("\"uid\":\"uid-r\"", "\"type\":\"probelet.io/ready\"")
          .doesNotContain("phase", "containerStatuses");

      patiently().until(() -> !api.writes("/leases/here").isEmpty());
      assertThat(api.writes("/namespaces/probelet-system/leases/here").getLast().body())
          .contains("\"holderIdentity\":\"here\"", "\"leaseDurationSeconds\":60");
      agent.signal("TERM");
      agent.exitCode();
    }
  }

  @Test
  @DisplayName("D-20 a missing readiness gate is an event, a log line and a warning in status")
  void missingReadinessGate() throws Exception {
    api.put(
        ApiPods.pod(
            "r",
            "\"probelet.io/probes\": \"web: {readiness: {httpGet: {port: %d}}}\""
                .formatted(target.port()),
            ""));
    String warning =
        "web.readiness has no effect on the pod's Ready condition: add `readinessGates:"
            + " [{conditionType: probelet.io/ready}]` to the pod's spec";
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> !events("ReadinessGateMissing").isEmpty());
      assertThat(events("ReadinessGateMissing"))
          .singleElement()
          .satisfies(event -> {
            assertThat(event.path("type").asText()).isEqualTo("Warning");
            assertThat(event.path("message").asText()).isEqualTo(warning);
          });
      assertThat(agent.lines())
          .anyMatch(line -> line.contains("readiness gate missing pod=shop/r"));
      patiently().until(() -> agent.containers().size() == 1);
      assertThat(agent.containers().toString()).contains(warning);
    }
  }

  private String replica(String name) {
    return ApiPods.pod(
            name,
            "\"probelet.io/probes\": \"web: {readiness: {period: 100ms, timeout: 1m, failureThreshold: 1,"
                + " httpGet: {port: %d}}}\"".formatted(target.port()),
            "")
        .replace(
            "\"restartPolicy\"",
            "\"readinessGates\": [{\"conditionType\": \"probelet.io/ready\"}], \"restartPolicy\"")
        .replace(
            "\"annotations\"",
            "\"ownerReferences\": [{\"apiVersion\": \"apps/v1\", \"kind\": \"ReplicaSet\","
                + " \"name\": \"web\", \"uid\": \"00000000-0000-4000-8000-000000000001\","
                + " \"controller\": true}], \"annotations\"");
  }

  private List<String> lastConditions(String... pods) {
    return Stream.of(pods)
        .map(pod -> api.writes("/pods/" + pod + "/status"))
        .map(writes -> writes.isEmpty() ? "" : writes.getLast().body())
        .map(body -> body.contains("\"status\":\"True\"") ? "True" : "False")
        .toList();
  }

  @Test
  @DisplayName("D-22 with a readiness budget one of two replicas that answer 503 stays ready")
  void readinessBudget() throws Exception {
    Files.writeString(
        noGuard, "guard: {enabled: false}\nreadinessBudget: {enabled: true, maxHold: 1h}\n");
    api.put(replica("r"));
    api.put(replica("s"));
    String lease = "probelet-unready-replicaset.shop.00000000-0000-4000-8000-000000000001";
    api.put(
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "%s",
          "namespace": "probelet-system", "labels": {"probelet.io/restarts": ""}, "annotations": {
          "probelet.io/workload": "ReplicaSet/shop/web/00000000-0000-4000-8000-000000000001",
          "probelet.io/replicas": "2"}}}
        """
            .formatted(lease));
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> lastConditions("r", "s").equals(List.of("True", "True")));
      status.set(503);
      patiently().until(() -> lastConditions("r", "s").contains("False"));
      patiently().until(() -> !events("ReadinessHeld").isEmpty());
      assertThat(lastConditions("r", "s")).containsExactlyInAnyOrder("True", "False");
      assertThat(events("ReadinessHeld"))
          .singleElement()
          .satisfies(event ->
              assertThat(event.path("message").asText())
                  .contains("1 of 2 replicas of ReplicaSet shop/web are already not ready"));
      assertThat(agent.containers().toString()).contains("the readiness gate stays True for now");
      assertThat(agent.get("/metrics"))
          .contains("probelet_readiness_held_total{node=\"here\"} 1.0");
      status.set(200);
      patiently().until(() -> lastConditions("r", "s").equals(List.of("True", "True")));
      patiently()
          .until(() ->
              !api.get("/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases/" + lease)
                  .toString()
                  .contains("restarts.probelet.io/here"));
    }
  }

  @Test
  @DisplayName("reloads a token that is replaced in its file, without losing the watch")
  void tokenRotation() throws Exception {
    Path token = Files.writeString(home.resolve("token"), "one");
    api.faults().demand("one");
    api.put(probed("a"));
    // As in a pod, where the kubelet replaces the token every hour.
    Map<String, String> pod =
        Map.of(
            "KUBECONFIG", home.resolve("none").toString(),
            "HOME", home.toString(),
            "KUBERNETES_MASTER", api.url(),
            "KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN", token.toString());
    try (AgentUnderTest agent =
        AgentUnderTest.start(
            pod, "agent", "--node-name=here", "--runtime-endpoint=none", "--listen=127.0.0.1:0")) {
      patiently().until(() -> agent.containers().size() == 1);
      Files.move(
          Files.writeString(home.resolve("next"), "two"), token, StandardCopyOption.ATOMIC_MOVE);
      api.faults().demand("two");
      api.cut();
      api.put(probed("b"));
      patiently().until(() -> agent.containers().size() == 2);
      assertThat(api.lists().stream().filter(list -> list.path().equals("/api/v1/pods")))
          .as("it went on where it was")
          .hasSize(1);
    }
  }

  @Test
  @DisplayName("probes and restarts known pods while a list request hangs")
  void listHangs() throws Exception {
    api.put(probed("a"));
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> agent.container().at("/probes/0/consecutive").asInt() > 2);
      patiently().until(() -> api.openWatches() == 1);
      api.faults().hangOn("resourceVersionMatch="); // the list after an expired version
      api.expireWatches();
      patiently().until(api.faults()::hangs);
      int before = agent.container().at("/probes/0/consecutive").asInt();
      patiently().until(() -> agent.container().at("/probes/0/consecutive").asInt() > before + 5);
      status.set(500);
      patiently().until(() -> !api.writes("/pods/a/eviction").isEmpty());
    }
  }

  @Test
  @DisplayName(
      "reloads a certificate authority that the kubelet replaces, without losing the watch")
  void certificateRotation() throws Exception {
    Certificates old = authority("old");
    Certificates next = authority("next");
    MountedConfigMap ca =
        new MountedConfigMap(
            home.resolve("mounted"), "ca.crt", Files.readString(old.certificate("ca")));
    api.put(probed("a"));
    try (TlsFront front = new TlsFront(api.url(), old.server("server"))) {
      Files.writeString(
          kubeconfig,
          api.kubeconfig()
              .replace("cluster: {", "cluster: {certificate-authority: %s, ".formatted(ca.file()))
              .replace(api.url(), front.url()));
      try (AgentUnderTest agent = agent()) {
        patiently().until(() -> agent.containers().size() == 1);
        front.present(next.server("server"));
        api.put(probed("b"));
        patiently()
            .until(() ->
                agent.lines().stream()
                    .anyMatch(line ->
                        line.contains("watch interrupted")
                            && line.contains("x509: certificate signed by unknown authority")));
        assertThat(agent.containers()).as("what is known stays").hasSize(1);
        ca.change(Files.readString(next.certificate("ca")));
        patiently().until(() -> agent.containers().size() == 2);
        assertThat(api.lists().stream().filter(list -> list.path().equals("/api/v1/pods")))
            .as("it went on where it was")
            .hasSize(1);
      }
    }
  }

  private Certificates authority(String name) throws IOException {
    return new Certificates(Files.createDirectory(home.resolve(name)))
        .add("server", "-ext", "san=ip:127.0.0.1");
  }

  private List<String> conditions() {
    return api.writes("/pods/r/status").stream()
        .map(each -> each.body().contains("\"status\":\"True\"") ? "True" : "False")
        .toList();
  }

  @Test
  @DisplayName("probes 100 valid pods beside 100 pods with invalid annotations")
  void manyBad() throws Exception {
    for (int i = 0; i < 100; i++) {
      api.put(ApiPods.pod("bad" + i, "\"probelet.io/probes\": \"web: {liveness: 7\"", ""));
      api.put(probed("good" + i));
    }
    try (AgentUnderTest agent = agent()) {
      patiently()
          .until(() -> {
            int probed = 0;
            for (var container : agent.containers()) {
              probed += container.at("/probes/0/result").asText().equals("Success") ? 1 : 0;
            }
            return probed == 100;
          });
      agent.signal("TERM");
      agent.exitCode();
    }
  }

  @Test
  @DisplayName("does not start without a node name or with an invalid configuration")
  void refuses() throws IOException {
    Path config = Files.writeString(home.resolve("agent.yaml"), "probes: {sourses: []}\n");
    assertThat(refusal("--node-name=")).contains("the name of this node is unknown", "--node-name");
    assertThat(refusal("--node-name=here", "--config=" + config))
        .contains(
            config + ":1:10: error: probes.sourses: unknown field; did you mean \"sources\"?");
    // The usual state folder may be in use by an agent of another test.
    String own =
        "--config="
            + Files.writeString(
                home.resolve("own.yaml"),
                "nodeMonitor: {stateFolder: %s}\n".formatted(home.resolve("state")));
    assertThat(refusal(own, "--node-name=here", "--runtime-endpoint=here"))
        .contains("is not a unix socket");
    assertThat(refusal(own, "--node-name=here", "--kubeconfig=" + home.resolve("none")))
        .contains("no such file");
    assertThat(refusal(own, "--node-name=here", "--node-ip=here")).contains("is not an IP address");
  }

  private static String refusal(String... arguments) {
    StringWriter err = new StringWriter();
    AgentCommand command = new AgentCommand();
    int code =
        new CommandLine(command)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    assertThat(code).isEqualTo(2);
    return err.toString();
  }

  private static ConditionFactory patiently() {
    return await().timeout(Duration.ofSeconds(60)).ignoreExceptions();
  }
}
