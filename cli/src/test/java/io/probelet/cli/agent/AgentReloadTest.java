package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.agent.cluster.ApiPods;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The mounted configuration of a running {@code probelet agent} changes. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class AgentReloadTest {
  /** Others may starve this machine, which would hold restarts. */
  private static final String NO_GUARD = "guard: {enabled: false}\n";

  @TempDir Path home;
  private FakeApiServer api;
  private TargetServer target;
  private AtomicInteger status;

  @BeforeEach
  void start() throws IOException {
    api = new FakeApiServer();
    api.put("{apiVersion: v1, kind: Node, metadata: {name: here}}");
    Files.writeString(home.resolve("kubeconfig"), api.kubeconfig());
    target = new TargetServer();
    status = target.answer("/");
  }

  @AfterEach
  void stop() {
    target.close();
    api.close();
  }

  private MountedConfigMap mounted(String yaml) throws IOException {
    return new MountedConfigMap(home.resolve("etc"), "agent.yaml", yaml);
  }

  private AgentUnderTest agent(MountedConfigMap configuration, String... options)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("agent");
    arguments.add("--kubeconfig=" + home.resolve("kubeconfig"));
    arguments.add("--node-name=here");
    arguments.addAll(List.of(options));
    return AgentUnderTest.start(
        Map.of(
            "PROBELET_CONFIG", configuration.file().toString(),
            "XDG_STATE_HOME", home.resolve("state").toString()),
        arguments.toArray(String[]::new));
  }

  private String probe() {
    return "httpGet: {port: %d}".formatted(target.port());
  }

  /** A pod with a liveness probe of its spec. */
  private String ofSpec(String name) {
    return ApiPods.pod(
        name,
        "",
        """
        "livenessProbe": {"httpGet": {"port": %d}, "periodSeconds": 1, "timeoutSeconds": 60}
        """
            .formatted(target.port()));
  }

  /** A pod with a liveness probe of its annotation. */
  private String ofAnnotation(String name) {
    return ApiPods.pod(
        name,
        "\"probelet.io/probes\": \"web: {liveness: {period: 100ms, timeout: 1m, %s}}\""
            .formatted(probe()),
        "");
  }

  /** How often the probe of each probed pod has come to the same result. */
  private static Map<String, Integer> counts(AgentUnderTest agent) throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    for (JsonNode container : agent.containers()) {
      if (container.path("probes").size() > 0) {
        counts.put(container.path("pod").asText(), container.at("/probes/0/consecutive").asInt());
      }
    }
    return counts;
  }

  private static double metric(AgentUnderTest agent, String series) throws Exception {
    return agent
        .get("/metrics")
        .lines()
        .map(line -> line.replace("node=\"here\",", "").replace("{node=\"here\"}", ""))
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static long said(AgentUnderTest agent, String text) {
    return agent.lines().stream().filter(line -> line.contains(text)).count();
  }

  @Test
  @DisplayName("stops a suppressed container when observe changes to enforce")
  void enforcement() throws Exception {
    status.set(500);
    api.put(ofAnnotation("a"));
    MountedConfigMap configuration = mounted("enforcement: {mode: observe}\n" + NO_GUARD);
    try (AgentUnderTest agent =
        agent(configuration, "--runtime-endpoint=none", "--monitor=none", "--listen=127.0.0.1:0")) {
      patiently()
          .until(() -> metric(agent, "probelet_restarts_kept_total{reason=\"observed\"}") > 0);
      assertThat(api.writes("/eviction")).isEmpty();
      configuration.change("enforcement: {mode: enforce, withoutRuntime: delete}\n" + NO_GUARD);
      patiently()
          .until(() ->
              api.writes("/pods/a").stream().anyMatch(each -> each.method().equals("DELETE")));
      patiently().until(() -> said(agent, "changed=[enforcement]") == 1);
    }
  }

  @Test
  @DisplayName("a change of sources starts and stops probes and keeps the counts of other pods")
  void sources() throws Exception {
    api.put(ofAnnotation("a"));
    api.put(ofSpec("s"));
    MountedConfigMap configuration = mounted("probes: {sources: [annotation]}\n");
    try (AgentUnderTest agent =
        agent(configuration, "--runtime-endpoint=none", "--monitor=none", "--listen=127.0.0.1:0")) {
      patiently().until(() -> counts(agent).getOrDefault("a", 0) > 10);
      assertThat(counts(agent)).containsOnlyKeys("a");
      int before = counts(agent).get("a");
      configuration.change("probes: {sources: [spec, annotation]}\n");
      patiently().until(() -> counts(agent).getOrDefault("s", 0) > 0);
      assertThat(counts(agent).get("a")).as("it was not begun anew").isGreaterThanOrEqualTo(before);
      configuration.change("probes: {sources: [spec]}\n");
      patiently().until(() -> counts(agent).keySet().equals(Set.of("s")));
      patiently().untilAsserted(() -> assertThat(agent.get("/readyz")).isEqualTo("ok\n"));
      api.put(ofSpec("t"));
      patiently().until(() -> counts(agent).containsKey("t"));
    }
  }

  @Test
  @DisplayName("a new policy applies to running pods, with an event for each refused annotation")
  void policy() throws Exception {
    String http = "{port: %d, host: 127.0.0.1}".formatted(target.port());
    String probes = "web: {liveness: {period: 100ms, timeout: 1m, httpGet: " + http + "}}";
    api.put(ApiPods.pod("h", "\"probelet.io/probes\": \"" + probes + "\"", ""));
    MountedConfigMap configuration = mounted("policy: {preset: restricted}\n");
    try (AgentUnderTest agent =
        agent(configuration, "--runtime-endpoint=none", "--monitor=none", "--listen=127.0.0.1:0")) {
      patiently()
          .until(() ->
              api.writes("/events").stream()
                  .anyMatch(each ->
                      each.body().contains("InvalidProbeAnnotation")
                          && each.body().contains("web.liveness.httpGet.host: Forbidden")));
      assertThat(counts(agent)).isEmpty();
      configuration.change("policy: {namespaces: [{names: [shop], hosts: [127.0.0.1]}]}\n");
      patiently().until(() -> counts(agent).getOrDefault("h", 0) > 0);
      configuration.change("policy: {preset: restricted}\n");
      patiently().until(() -> counts(agent).isEmpty());
    }
  }

  @Test
  @DisplayName(
      "an invalid change is reported and counted, and the previous configuration stays until it is fixed")
  void refused() throws Exception {
    api.put(ofAnnotation("a"));
    MountedConfigMap configuration = mounted("guard: {percent: 50}\n");
    try (AgentUnderTest agent =
        agent(configuration, "--runtime-endpoint=none", "--monitor=none", "--listen=127.0.0.1:0")) {
      patiently().until(() -> counts(agent).containsKey("a"));
      double began = metric(agent, "probelet_config_last_reload_success_timestamp_seconds");
      assertThat(metric(agent, "probelet_config_last_reload_successful")).isOne();
      String failures = "probelet_config_reloads_total{result=\"failure\"}";

      configuration.change("probes: {sources: []}\nguard:\n  percent: 100\n");
      patiently().until(() -> metric(agent, failures) == 1);
      patiently()
          .until(() -> said(agent, configuration.file() + ":3:12: error: guard.percent: ") == 1);
      assertThat(metric(agent, "probelet_config_last_reload_successful")).isZero();
      assertThat(counts(agent)).as("nothing of it was taken").containsKey("a");

      configuration.change("guard: {percents: 50}\n");
      patiently().until(() -> metric(agent, failures) == 2);
      patiently()
          .until(() ->
              said(agent, "guard.percents: unknown field; did you mean \\\"percent\\\"?") == 1);

      Files.delete(configuration.file());
      patiently().until(() -> metric(agent, failures) == 3);
      patiently().until(() -> said(agent, configuration.file() + ": error: no such file") == 1);

      Files.createSymbolicLink(configuration.file(), Path.of("..data/agent.yaml"));
      configuration.change("probes: {sources: []}\n");
      patiently().until(() -> counts(agent).isEmpty());
      assertThat(metric(agent, "probelet_config_reloads_total{result=\"success\"}")).isOne();
      assertThat(metric(agent, "probelet_config_last_reload_successful")).isOne();
      assertThat(metric(agent, "probelet_config_last_reload_success_timestamp_seconds"))
          .isGreaterThan(began);
    }
  }

  @Test
  @DisplayName(
      "a changed address or folder applies at the next start and is reported once; flags take precedence")
  void restart() throws Exception {
    String first =
        "http: {listen: '127.0.0.1:0'}\nnodeMonitor: {monitors: [none], stateFolder: %s}\n"
            .formatted(home);
    MountedConfigMap configuration = mounted(first);
    try (AgentUnderTest agent = agent(configuration, "--runtime-endpoint=none")) {
      assertThat(metric(agent, "probelet_config_restart_pending")).isZero();
      configuration.change(
          first.replace(":0", ":1").replace("stateFolder: ", "stateFolder: /elsewhere")
              + "runtime: {endpoint: /nowhere.sock}\n");
      patiently().until(() -> metric(agent, "probelet_config_restart_pending") == 2);
      patiently()
          .until(() -> said(agent, "after_restart=[http.listen, nodeMonitor.stateFolder]") == 1);
      assertThat(agent.get("/readyz?verbose")).as("the flag").contains("[+]runtime ok");
      configuration.change(first);
      patiently().until(() -> metric(agent, "probelet_config_restart_pending") == 0);
    }
  }

  @Test
  @DisplayName(
      "runtime and monitors change while running; unreadable monitors leave the previous ones")
  void runtimeAndMonitors() throws Exception {
    String form = "runtime: {endpoint: %s}\nnodeMonitor: {monitors: [%s]}\n";
    Path monitor = home.resolve("monitors").resolve("links.json");
    MountedConfigMap configuration = mounted(form.formatted("none", "none"));
    try (AgentUnderTest agent = agent(configuration, "--listen=127.0.0.1:0")) {
      patiently().until(() -> agent.get("/readyz").equals("ok\n"));
      String socket = home.resolve("cri.sock").toString();
      configuration.change(form.formatted(socket, "none"));
      patiently().until(() -> agent.get("/readyz").contains("[-]runtime failed: "));
      assertThat(metric(agent, "probelet_runtime_up")).isZero();
      configuration.change(form.formatted("none", monitor));
      patiently().until(() -> agent.get("/readyz").equals("ok\n"));
      patiently().until(() -> metric(agent, "probelet_monitor_reloads_refused_total") == 1);
      patiently().until(() -> said(agent, monitor + ": error: no such file") == 1);

      Files.createDirectory(monitor.getParent());
      Files.writeString(
          monitor,
          """
          {"plugin": "kmsg", "logPath": "%s", "source": "links", "lookback": "5m",
           "conditions": [{"type": "LinkDown", "reason": "LinkIsUp", "message": "link is up"}],
           "rules": [{"type": "permanent", "condition": "LinkDown", "reason": "NoCarrier",
             "pattern": "\\\\w+: link down"}]}
          """
              .formatted(Files.createFile(home.resolve("kmsg"))));
      patiently().until(() -> agent.get("/api/v1/node").contains("\"LinkDown\""));
      patiently().until(() -> lastStatus().contains("\"type\":\"LinkDown\""));
      configuration.change(form.formatted("none", "none"));
      patiently().until(() -> lastStatus().contains("\"$patch\":\"delete\""));
      assertThat(agent.get("/api/v1/node")).doesNotContain("LinkDown");
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
      assertThat(agent.lines()).noneMatch(line -> line.startsWith("\tat "));
    }
  }

  private String lastStatus() {
    return api.writes("/nodes/here/status").getLast().body();
  }

  private static ConditionFactory patiently() {
    return await().timeout(Duration.ofSeconds(60)).ignoreExceptions();
  }
}
