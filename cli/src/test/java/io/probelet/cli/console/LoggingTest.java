package io.probelet.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.agent.console.Console;
import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerObservation;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What arrives on standard output, and that no one waits for it. */
@Timeout(120)
class LoggingTest {
  private static final Logger CONSOLE = LoggerFactory.getLogger(Console.class);
  private static final Logger OTHER = LoggerFactory.getLogger("io.probelet.other");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final PrintStream realOut = System.out;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @AfterEach
  void restore() {
    System.setOut(realOut);
  }

  /** Closing waits for a second only, within which a busy machine may have written nothing. */
  private void awaitLine(String text) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            out.toString(StandardCharsets.UTF_8).lines().anyMatch(line -> line.contains(text)));
  }

  @Test
  void textHasTimeMessageAndLevel() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try (Logging _ = new Logging(LogFormat.TEXT, false, clock)) {
      CONSOLE.warn("web/nginx readiness failed 1/3: näh");
      CONSOLE.debug("web/nginx readiness ok");
      OTHER.info("watching path={}", "examples");
      OTHER.warn("no answer", new IllegalStateException("broken"));
      OTHER.debug("not worth a line");
      LoggerFactory.getLogger("org.example.library")
          .warn("will retry", new IllegalStateException(new IllegalArgumentException("forbidden")));
      awaitLine("will retry");
    }
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines)
        .allMatch(line -> line.matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} .*|\\tat .*|java.*"));
    assertThat(lines)
        .extracting(line -> line.replaceFirst("^\\d\\S+ ", ""))
        .startsWith(
            "web/nginx readiness failed 1/3: näh",
            "watching path=examples",
            "WARN no answer",
            "java.lang.IllegalStateException: broken")
        .endsWith("WARN will retry: forbidden")
        .noneMatch(line -> line.contains("readiness ok") || line.contains("not worth"));
  }

  /** Attack: a plugin that printed a token and failed had it in the log. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo s3cret; exit 1",
        "echo s3cret",
        "echo '{\"apiVersion\": \"s3cret\", \"kind\": \"ExecCredential\", \"status\": {}}'",
        "echo '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": {\"s3cret\": 1}}'"
      })
  void outputOfCredentialPluginsIsNotLogged(String script, @TempDir Path directory)
      throws Exception {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: c
            contexts: [{name: c, context: {cluster: a, user: u}}]
            clusters: [{name: a, cluster: {server: "https://a.example:6443"}}]
            users:
            - name: u
              user:
                exec:
                  apiVersion: client.authentication.k8s.io/v1
                  command: sh
                  args: ["-c", %s]
                  env: []
            """
                .formatted(new ObjectMapper().writeValueAsString(script)));
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try (Logging _ = new Logging(LogFormat.TEXT, true, clock);
        ClusterAccess _ = new ClusterAccess(kubeconfig, SystemClock.INSTANCE)) {
      OTHER.info("end of this");
      awaitLine("end of this");
    }
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("WARN the kubeconfig's credential plugin failed")
        .doesNotContain("s3cret");
  }

  @Test
  void verboseShowsEveryProbe() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try (Logging _ = new Logging(LogFormat.TEXT, true, clock)) {
      OTHER.debug("not worth a line");
      CONSOLE.debug("web/nginx readiness ok");
      awaitLine("readiness ok");
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .endsWith(" web/nginx readiness ok");
  }

  private List<JsonNode> json(Runnable logs) throws Exception {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try (Logging _ = new Logging(LogFormat.JSON, false, clock)) {
      logs.run();
      OTHER.info("end of this");
      awaitLine("end of this");
    }
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    lines.removeLast();
    return lines;
  }

  private static List<String> keys(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  @Test
  void jsonHasOneObjectPerLineWithAllFields() throws Exception {
    Instant before = SystemClock.INSTANCE.wallTime().minusSeconds(1);
    List<JsonNode> lines =
        json(() ->
            CONSOLE
                .atWarn()
                .addKeyValue("pod", "web")
                .addKeyValue("failures", 3)
                .log("web/nginx \"quoted\"\n{}", "second \u001b[31m"));
    assertThat(lines).hasSize(1);
    JsonNode line = lines.getFirst();
    assertThat(keys(line)).containsExactly("ts", "level", "msg", "logger", "pod", "failures");
    assertThat(line.path("ts").asText())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    assertThat(Instant.parse(line.path("ts").asText()))
        .isBetween(before, SystemClock.INSTANCE.wallTime().plusSeconds(1));
    assertThat(line.path("level").asText()).isEqualTo("WARN");
    assertThat(line.path("msg").asText()).isEqualTo("web/nginx \"quoted\"\nsecond \u001b[31m");
    assertThat(line.path("pod").asText()).isEqualTo("web");
    assertThat(line.path("failures").isInt()).isTrue();
  }

  @Test
  void jsonHasArgumentsOfMessageAsFields() throws Exception {
    List<JsonNode> lines =
        json(() -> {
          OTHER.info("monitor={} lost lines={}: {}", "kernel \"x={}\"", 7L, "because=of");
          OTHER.warn("pod={} ignored=\"{}\"", new PodRef("shop", "web", "u-1"), "a,level=b");
          OTHER.info("level={} {} key= {}", "deep", "alone", "apart");
          OTHER.error("failed", new IllegalStateException("broken"));
          LoggerFactory.getLogger("org.example.library")
              .warn("state={}", "open", new IllegalStateException("broken"));
        });
    assertThat(lines.get(0).path("monitor").asText()).isEqualTo("kernel \"x={}\"");
    assertThat(lines.get(0).path("lines").asLong()).isEqualTo(7);
    assertThat(lines.get(0).path("msg").asText())
        .isEqualTo("monitor=kernel \"x={}\" lost lines=7: because=of");
    assertThat(keys(lines.get(0)))
        .containsExactly("ts", "level", "msg", "logger", "monitor", "lines");
    assertThat(keys(lines.get(1)))
        .containsExactly("ts", "level", "msg", "logger", "namespace", "pod", "pod_uid", "ignored");
    assertThat(lines.get(1).path("pod").asText()).isEqualTo("web");
    assertThat(lines.get(2).path("level").asText()).isEqualTo("INFO");
    assertThat(keys(lines.get(2))).containsExactly("ts", "level", "msg", "logger", "level_");
    assertThat(lines.get(3).path("error").asText()).isEqualTo("broken");
    assertThat(lines.get(3).path("stack").asText()).contains("IllegalStateException", "\tat ");
    // Of a library's warning the cause is enough, and its words name no fields of ours.
    assertThat(keys(lines.get(4))).containsExactly("ts", "level", "msg", "logger", "error");
  }

  @Test
  void limitsLinesOfNoisyPodOnly() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    PodRef noisy = new PodRef("tenant", "noisy", "u");
    try (Logging logging = new Logging(LogFormat.TEXT, false, clock)) {
      logging.addTo(registry);
      for (int i = 0; i < 500; i++) {
        OTHER.warn("pod={} ignored=\"{}\"", noisy, i);
        CONSOLE
            .atInfo()
            .addKeyValue("namespace", "tenant")
            .addKeyValue("pod", "noisy")
            .log("ready");
      }
      OTHER.warn("pod={} ignored=\"{}\"", new PodRef("shop", "noisy", "u"), "neighbour");
      CONSOLE.atInfo().addKeyValue("namespace", "shop").addKeyValue("pod", "web").log("killing");
      clock.advance(Duration.ofSeconds(10));
      OTHER.warn("pod={} ignored=\"{}\"", noisy, "later");
      OTHER.warn("pod={} ignored=\"{}\"", noisy, "too soon");
      OTHER.info("end");
      awaitLine("end");
    }
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines)
        .filteredOn(line ->
            line.contains("=\"later\"") || line.contains("ready") || line.matches(".*=\"\\d+\""))
        .hasSize(PodLogLimit.BURST + 1);
    assertThat(lines)
        .anyMatch(line -> line.endsWith("WARN pod=shop/noisy ignored=\"neighbour\""))
        .anyMatch(line -> line.endsWith(" killing"))
        .anyMatch(line ->
            line.endsWith("WARN log lines about a pod suppressed pod=tenant/noisy suppressed=900"))
        .noneMatch(line -> line.contains("too soon"));
    assertThat(registry.get("probelet.log.lines.held.back").functionCounter().count())
        .isEqualTo(901);
  }

  @Test
  void logsKillAndEndOfNoisyPod() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    PodRef noisy = new PodRef("tenant", "noisy", "u");
    ContainerObservation running = ContainerObservation.running("a", Instant.EPOCH, 0);
    Console console = new Console(clock);
    try (Logging _ = new Logging(LogFormat.TEXT, false, clock)) {
      for (int i = 0; i < 500; i++) {
        OTHER.warn("pod={} ignored=\"{}\"", noisy, i);
        console.containerChanged(
            new ContainerStatus(noisy, "c", running, true, i % 2 == 0),
            new ContainerStatus(noisy, "c", running, true, i % 2 == 1));
      }
      console.restartDecided(
          new RestartDecision(
              new ProbeSubject(noisy, "c", ProbeKind.LIVENESS),
              new ProbeTarget(
                  noisy,
                  new ContainerSpec("c", false, null, List.of(), Map.of(), Map.of(), Map.of()),
                  "a",
                  ""),
              Duration.ofSeconds(30),
              new ProbeEvent("Normal", "Killing", "Container c failed liveness probe"),
              "refused"));
      console.containerChanged(
          new ContainerStatus(noisy, "c", running, true, true),
          new ContainerStatus(
              noisy,
              "c",
              ContainerObservation.terminated("a", Instant.EPOCH, 137, 0),
              false,
              false));
      console.podRemoved(noisy);
      OTHER.info("end");
      awaitLine("end");
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .anyMatch(line -> line.contains("tenant/noisy/c killing, grace 30s: "))
        .anyMatch(line -> line.contains("tenant/noisy/c ended with exit code 137"))
        .anyMatch(line -> line.endsWith("tenant/noisy removed"));
  }

  @Test
  void dropsLinesInsteadOfBlockingOnStalledReader() {
    Semaphore gate = new Semaphore(0);
    System.setOut(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) {
                gate.acquireUninterruptibly();
                gate.release();
              }
            },
            true,
            StandardCharsets.UTF_8));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Logging logging = new Logging(LogFormat.TEXT, false, clock)) {
      logging.addTo(registry);
      for (int line = 0; line < 3000; line++) {
        CONSOLE.info("line {}", line);
      }
      // One queue of 1,024 lines waits, and the writer may have taken another before it stalled.
      assertThat(registry.get("probelet.log.lines.dropped").functionCounter().count())
          .isBetween(900.0, 3000.0);
      gate.release();
    }
  }
}
