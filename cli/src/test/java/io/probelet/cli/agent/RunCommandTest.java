package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.probelet.cli.status.StatusCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code probelet run} from outside: manifests in, signals, and what HTTP and the console tell. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class RunCommandTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
        annotations:
          probelet.io/probes: |
            server:
              startup: {period: 100ms, timeout: 1m}
              liveness: {period: 100ms, timeout: 1m}
              readiness: {period: 100ms, timeout: 1m}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
          - name: server
            command: [sh, -c, 'touch "$DIR/alive"; exec sleep 1000']
            env: [{name: DIR, value: "%s"}]
            # Where the machine is busy, the file may come later than three probes.
            startupProbe: {exec: {command: [test, -e, $(DIR)/alive]}, failureThreshold: 10000}
            livenessProbe: {exec: {command: [test, -e, $(DIR)/alive]}}
            readinessProbe: {exec: {command: [test, -e, $(DIR)/alive]}, failureThreshold: 1}
      """;

  @TempDir Path home;
  private Path manifests;

  @BeforeEach
  void folder() throws IOException {
    manifests = Files.createDirectory(home.resolve("pods"));
  }

  @Test
  @DisplayName("runs and probes one pod of a Deployment and reports the other replicas")
  void workload() throws Exception {
    String template = POD.formatted(home).replaceFirst("(?s).*?metadata:\n  name: web\n", "");
    Files.writeString(
        manifests.resolve("web.yaml"),
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 3
          selector: {matchLabels: {app: web}}
          template:
            metadata:
              labels: {app: web}
        """
            + template.indent(4));
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      patiently().until(() -> agent.container().path("ready").asBoolean());
      assertThat(agent.lines())
          .anyMatch(line -> line.endsWith("spec.replicas: one pod runs here, not 3"))
          .anyMatch(line -> line.contains("web/server ready"));
    }
  }

  @Test
  @DisplayName("restarts a container that fails to the threshold, until it is ready again")
  void restarts() throws Exception {
    Files.writeString(manifests.resolve("web.yaml"), POD.formatted(home));
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      patiently().until(() -> agent.container().path("ready").asBoolean());
      String first = agent.container().path("id").asText();

      Files.delete(home.resolve("alive"));
      patiently().until(() -> agent.container().path("restartCount").asInt() == 1);
      patiently().until(() -> agent.container().path("ready").asBoolean());

      assertThat(agent.container().path("id").asText()).isNotEqualTo(first);
      patiently()
          .untilAsserted(() ->
              assertThat(agent.lines())
                  .anyMatch(line -> line.contains("web/server liveness failed 1/3"))
                  .anyMatch(line -> line.contains("web/server liveness failed 3/3"))
                  .anyMatch(line -> line.contains("failed liveness probe, will be restarted"))
                  .anyMatch(line -> line.contains("web/server ready")));
      String metrics = agent.get("/metrics");
      assertThat(metrics)
          .contains("prober_probe_total{", "probe_type=\"Liveness\"", "result=\"failed\"");
      assertThat(documentedMetrics("The container runtime", "In a cluster"))
          .hasSizeGreaterThan(15)
          .filteredOn(name -> !name.contains("certificate")) // there with probes over TLS
          .filteredOn(name -> !name.contains("probe_server")) // there with --probe-socket
          .allSatisfy(name -> assertThat(metrics).contains("# TYPE " + name + " "));
      patiently().untilAsserted(() -> assertThat(agent.get("/readyz")).isEqualTo("ok\n"));

      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
      assertThat(agent.lines()).noneMatch(line -> line.contains("Exception"));
    }
  }

  @Test
  @DisplayName("D-23 D-24 onFailure: pod restarts the other containers as well, after preKill")
  void restartsThePod() throws Exception {
    String pod =
        POD.formatted(home)
                .replace(
                    "liveness: {",
                    "liveness: {onFailure: pod, preKill: {exec: {command: [sh, -c, 'echo; echo dump']}}, ")
            + "    - name: other\n      command: [sleep, \"1000\"]\n";
    Files.writeString(manifests.resolve("web.yaml"), pod);
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      patiently()
          .until(() -> agent.containers().findValues("ready").toString().equals("[true, true]"));
      Files.delete(home.resolve("alive"));
      patiently()
          .until(() -> agent.containers().findValues("restartCount").toString().equals("[1, 1]"));
      assertThat(agent.lines())
          .anyMatch(line -> line.contains("restarting all containers of the pod pod=default/web"))
          .anyMatch(line ->
              line.contains("preKill command ended pod=default/web container=server")
                  && line.contains("reason=\"exit code 0\"")
                  && line.contains("dump"));
    }
  }

  @Test
  @DisplayName("starts, replaces or ends a pod when its manifest is added, changed or removed")
  void folderChanges() throws Exception {
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      Path file = manifests.resolve("web.yaml");
      Files.writeString(file, POD.formatted(home));
      patiently().until(() -> agent.container().path("ready").asBoolean());
      String first = agent.container().path("id").asText();

      Files.writeString(file, POD.formatted(home).replace("sleep 1000", "sleep 2000"));
      patiently().until(() -> !agent.container().path("id").asText().equals(first));
      patiently().until(() -> agent.container().path("ready").asBoolean());

      Files.writeString(file, "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n");
      patiently().until(() -> agent.lines().stream().anyMatch(line -> line.contains("web.yaml:")));
      assertThat(agent.container().path("ready").asBoolean()).as("runs on").isTrue();

      Files.delete(file);
      patiently().until(() -> agent.containers().isEmpty());
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
    }
  }

  @Test
  void startsTheValidManifestsOfAFolderAndNamesTheInvalidOneEverywhere() throws Exception {
    Path invalid = manifests.resolve("a.yaml");
    Files.writeString(invalid, "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
    Files.writeString(manifests.resolve("web.yaml"), POD.formatted(home));
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      patiently().until(() -> agent.container().path("ready").asBoolean());
      // The node monitor may still be busy with its start, and then says that it did not answer.
      patiently()
          .untilAsserted(() ->
              assertThat(agent.get("/api/v1/node"))
                  .contains("\"invalid\":[{\"file\":\"" + invalid)
                  .contains("\"reason\":\"InvalidManifest\""));
      assertThat(agent.get("/metrics"))
          .contains("probelet_manifest_invalid{file=\"" + invalid + "\"} 1.0")
          .contains("\nprobelet_manifest_invalid_files 1.0\n");
      patiently().untilAsserted(() -> assertThat(agent.get("/readyz")).isEqualTo("ok\n"));
      assertThat(agent.get("/readyz?verbose"))
          .contains("[+]manifests ok, 1 invalid: " + invalid + ":");
      assertThat(agent.get("/")).contains("Invalid manifest: " + invalid);
      StringWriter out = new StringWriter();
      String address = agent.address().getAuthority();
      assertThat(
              new CommandLine(new StatusCommand())
                  .setOut(new PrintWriter(out))
                  .execute("--address", address))
          .isEqualTo(1);
      assertThat(out.toString())
          .contains("; 1 invalid manifest", "INVALID MANIFEST", invalid + ":");

      Files.delete(invalid);
      patiently()
          .until(() -> agent.get("/metrics").contains("probelet_manifest_invalid_files 0.0"));
      assertThat(agent.get("/api/v1/node")).contains("\"invalid\":[]", "ManifestFixed");
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
    }
  }

  @Test
  void runsWithoutAnyValidManifestInTheFolderAndIsNotReady() throws Exception {
    Files.writeString(manifests.resolve("a.yaml"), "kind: [");
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      patiently().until(() -> agent.get("/readyz").contains("[-]manifests failed: no valid"));
      Files.writeString(manifests.resolve("a.yaml"), POD.formatted(home));
      patiently().until(() -> agent.get("/readyz").equals("ok\n"));
    }
  }

  @Test
  void refusesToStartWhenAFileNamedOnTheCommandLineIsInvalid() throws Exception {
    Path file = Files.writeString(manifests.resolve("a.yaml"), "kind: [");
    StringWriter err = new StringWriter();
    assertThat(
            new CommandLine(new RunCommand())
                .setErr(new PrintWriter(err))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(file.toString(), "--listen=127.0.0.1:0", "--state-dir=" + home))
        .isEqualTo(2);
    assertThat(err.toString()).startsWith(file + ":1:");
  }

  @Test
  void startsWithoutTheInvalidMonitorFileOfAFolder() throws Exception {
    Path monitors = Files.createDirectory(home.resolve("monitors"));
    Path file = Files.writeString(monitors.resolve("a.json"), "{\"plugin\": \"pager\"}");
    Files.writeString(manifests.resolve("web.yaml"), POD.formatted(home));
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, "--monitor=" + monitors)) {
      patiently().until(() -> agent.container().path("ready").asBoolean());
      assertThat(agent.get("/api/v1/node"))
          .contains("{\"name\":\"" + file + "\",\"state\":\"unavailable\",\"reason\":\"invalid\"");
      assertThat(agent.get("/metrics")).contains("\nprobelet_monitor_invalid_files 1.0\n");
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
    }
  }

  @Test
  void refusesTheStateFolderOfAnotherInstance() throws Exception {
    String state = "--state-dir=" + home.resolve("state");
    try (AgentUnderTest first = AgentUnderTest.start(manifests, state, "--monitor=none")) {
      StringWriter err = new StringWriter();
      CommandLine second =
          new CommandLine(new RunCommand())
              .setErr(new PrintWriter(err))
              .setCaseInsensitiveEnumValuesAllowed(true);
      String[] arguments = {manifests.toString(), "--listen=127.0.0.1:0", "--monitor=none", state};
      assertThat(second.execute(arguments)).isEqualTo(2);
      assertThat(err.toString())
          .contains("state folder " + home.resolve("state") + " is in use by another Probelet")
          .contains("(pid " + first.pid() + ")")
          .contains("--state-dir");
      first.signal("KILL");
      first.exitCode();
    }
    AgentUnderTest.start(manifests, state, "--monitor=none").close();
  }

  @Test
  void refusesTheLogFolderOfAnotherInstance() throws Exception {
    String logs = "--log-dir=" + home.resolve("state/logs");
    try (AgentUnderTest _ =
        AgentUnderTest.start(manifests, "--state-dir=" + home.resolve("state"), "--monitor=none")) {
      StringWriter err = new StringWriter();
      CommandLine second =
          new CommandLine(new RunCommand())
              .setErr(new PrintWriter(err))
              .setCaseInsensitiveEnumValuesAllowed(true);
      assertThat(
              second.execute(
                  manifests.toString(),
                  "--listen=127.0.0.1:0",
                  "--monitor=none",
                  "--state-dir=" + home.resolve("other"),
                  logs))
          .isEqualTo(2);
      assertThat(err.toString())
          .contains("log folder " + home.resolve("state/logs") + " is in use by another Probelet");
    }
  }

  @Test
  void trialHasLogsOfItsOwn() throws Exception {
    Path state = home.resolve("state");
    Files.writeString(manifests.resolve("web.yaml"), POD.formatted(home));
    Path kmsg = Files.createFile(home.resolve("kmsg"));
    try (AgentUnderTest agent =
        AgentUnderTest.start(manifests, "--state-dir=" + state, "--kmsg=" + kmsg)) {
      patiently().until(() -> agent.container().path("ready").asBoolean());
      assertThat(state.resolve("logs")).doesNotExist();
      assertThat(agent.lines())
          .anyMatch(line -> line.contains("trial, container logs are in a temporary folder"));
    }
  }

  @Test
  void trialKeepsNoState() throws Exception {
    Path state = home.resolve("state");
    Path kmsg = Files.createFile(home.resolve("kmsg"));
    Path monitor =
        Files.writeString(
            home.resolve("monitor.json"),
            """
            {"plugin": "kmsg", "logPath": "/dev/kmsg", "lookback": "5m", "source": "trial",
             "conditions": [{"type": "Trial", "reason": "Fine", "message": "fine"}],
             "rules": [{"type": "permanent", "condition": "Trial", "reason": "Bad",
                        "pattern": "trial failed"}]}
            """);
    String[] options = {"--state-dir=" + state, "--monitor=" + monitor, "--kmsg=" + kmsg};
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, options)) {
      patiently()
          .until(() -> {
            String uptime = Files.readString(Path.of("/proc/uptime")).replaceFirst(" .*\\s", "");
            String line = "2,1,%s0000,-;trial failed\n".formatted(uptime.replace(".", ""));
            Files.writeString(kmsg, line, StandardOpenOption.APPEND);
            return agent.get("/api/v1/node").contains("\"status\":\"True\"");
          });
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
    }
    assertThat(state.resolve("node-monitor.json")).doesNotExist();
  }

  @Test
  @DisplayName(
      "waits for a container runtime that is down, and reports it in readiness and a metric")
  void runtimeAway() throws Exception {
    Files.writeString(manifests.resolve("web.yaml"), POD.formatted(home));
    Path socket = home.resolve("cri.sock");
    try (AgentUnderTest agent =
        AgentUnderTest.start(
            manifests, "--runtime=cri", "--runtime-endpoint=unix://" + socket, "--max-execs=5")) {
      patiently().until(() -> agent.get("/readyz").contains("connect to " + socket));

      assertThat(agent.get("/readyz")).contains("[-]runtime failed: ");
      // An agent serves before the runtime's metrics are there.
      patiently().until(() -> agent.get("/metrics").contains("\nprobelet_runtime_up 0.0\n"));
      String metrics = agent.get("/metrics");
      assertThat(metrics)
          .contains("\nprobelet_runtime_up 0.0\n", "\nprobelet_runtime_execs_limit 5.0\n");
      assertThat(documentedMetrics())
          .filteredOn(name -> name.startsWith("probelet_runtime_"))
          .hasSizeGreaterThan(5)
          .allSatisfy(name -> assertThat(metrics).contains("# TYPE " + name + " "));
      assertThat(agent.containers()).isEmpty();
      patiently()
          .until(() ->
              agent.lines().stream()
                  .anyMatch(line -> line.endsWith("waiting for the pod to start pod=default/web")));
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
      assertThat(agent.lines()).noneMatch(line -> line.startsWith("WARNING"));
    }
  }

  @ParameterizedTest
  @DisplayName("reports wrong options of a container runtime and runs nothing")
  @CsvSource({
    "--runtime-endpoint=tcp://10.0.0.1:99, is not a unix socket; write it like unix:///run/",
    "--runtime-endpoint=/none.sock --max-execs=0, allow at least 1"
  })
  void badOptions(String options, String complaint) throws Exception {
    Files.writeString(manifests.resolve("web.yaml"), POD.formatted(home));
    StringWriter err = new StringWriter();
    int exitCode =
        new CommandLine(new RunCommand())
            .setErr(new PrintWriter(err))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute((manifests + " --runtime=cri --state-dir=" + home + " " + options).split(" "));
    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).startsWith("probelet run: ").contains(complaint);
  }

  @ParameterizedTest
  @DisplayName("names the wrong value of an option and the allowed ones")
  @CsvSource({
    "--listen=20258, '\"20258\" is not host:port; write it like 127.0.0.1:20258'",
    "--back-off=10, '\"10\" is not a duration; write it like 250ms, 1.5s or 2m'",
    "--back-off-max=0s, '\"0s\" is not longer than zero'",
    "--log-dir=/dev/null/logs, '--log-dir /dev/null/logs cannot be created: not a directory'",
    "--back-off=2m --back-off-max=1m, '--back-off 2m0s is longer than --back-off-max 1m0s.'",
    "--monitor=default, '--monitor none has no effect beside other monitors.'",
    "--runtime-endpoint=/x.sock, '--runtime-endpoint has no effect without --runtime cri and without'",
    "--npd-compat --port=70000, '\"127.0.0.1:70000\": port 70000 is out of range 0-65535'"
  })
  void badValues(String options, String complaint) throws Exception {
    Files.writeString(manifests.resolve("web.yaml"), POD.formatted(home));
    StringWriter err = new StringWriter();
    int exitCode =
        new CommandLine(new RunCommand())
            .setErr(new PrintWriter(err))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(
                (manifests
                        + " --monitor=none --listen=127.0.0.1:0 --state-dir="
                        + home
                        + " "
                        + options)
                    .split(" "));
    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains(complaint).doesNotContain("IllegalArgument");
  }

  @Test
  @DisplayName("leaves no process behind after kill -9, and starts again")
  void killed() throws Exception {
    Files.writeString(manifests.resolve("web.yaml"), POD.formatted(home));
    List<ProcessHandle> children;
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      patiently().until(() -> agent.container().path("ready").asBoolean());
      children = agent.children().toList();
      assertThat(children).isNotEmpty();
      agent.signal("KILL");
      agent.exitCode();
    }
    patiently().until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    try (AgentUnderTest again = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      patiently().until(() -> again.container().path("ready").asBoolean());
      again.signal("TERM");
      again.exitCode();
    }
  }

  @Test
  @DisplayName("W-12 after being stopped, an agent restarts nothing and counts discarded outcomes")
  void stopped() throws Exception {
    AtomicBoolean holdNext = new AtomicBoolean();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch discarded = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          if (holdNext.compareAndSet(true, false)) {
            asked.countDown();
            try {
              discarded.await();
            } catch (InterruptedException over) {
              Thread.currentThread().interrupt();
            }
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    Files.writeString(
        manifests.resolve("web.yaml"),
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: web
          annotations:
            probelet.io/probes: "server: {liveness: {period: 100ms, timeout: 8s}}"
        spec:
          terminationGracePeriodSeconds: 1
          containers:
            - name: server
              command: [sleep, "1000"]
              livenessProbe:
                httpGet: {port: %d}
                failureThreshold: 1
        """
            .formatted(server.getAddress().getPort()));
    try (AgentUnderTest agent = AgentUnderTest.start(manifests, home.resolve("logs"))) {
      // After 16 answers the code is not new any more, and a stall is called one.
      patiently()
          .until(() -> agent.container().path("probes").path(0).path("consecutive").asInt() > 16);
      holdNext.set(true);
      asked.await();
      agent.signal("STOP");
      await().pollDelay(Duration.ofSeconds(9)).timeout(Duration.ofSeconds(60)).until(() -> true);
      agent.signal("CONT");

      patiently()
          .untilAsserted(() ->
              assertThat(agent.get("/metrics").lines())
                  .as(() -> "what is discarded, of an agent that said " + agent.lines())
                  .filteredOn(line -> line.contains("reason=\"stalled\""))
                  .anyMatch(line ->
                      line.startsWith("probelet_probes_discarded_total")
                          && !line.endsWith(" 0.0")));
      discarded.countDown();
      patiently()
          .until(() ->
              agent.lines().stream()
                  .anyMatch(line -> line.matches(".*stalled_seconds=[0-9.]+ discarded=[1-9].*")));
      patiently()
          .until(() -> agent.container().path("probes").path(0).path("consecutive").asInt() > 2);
      assertThat(agent.container().path("restartCount").asInt()).isZero();
      agent.signal("TERM");
      agent.exitCode();
    } finally {
      server.stop(0);
    }
  }

  /** The names in the first columns of the tables, the sections of these titles left out. */
  private static List<String> documentedMetrics(String... unwanted) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "reference", "metrics.md"));
    return Stream.of(page.split("\n## ", -1))
        .filter(section -> Stream.of(unwanted).noneMatch(section::startsWith))
        .flatMap(String::lines)
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.replaceAll("^\\| `([^`{]+).*", "$1"))
        .toList();
  }

  private static ConditionFactory patiently() {
    return await().timeout(Duration.ofSeconds(60)).ignoreExceptions();
  }
}
