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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that are starting, and pods that are ending, beside a kubelet. */
class AgentStartupTest {
  @TempDir Path home;
  private FakeApiServer api;
  private TargetServer target;

  @BeforeEach
  void start() throws IOException {
    api = new FakeApiServer();
    target = new TargetServer();
    Files.writeString(home.resolve("kubeconfig"), api.kubeconfig());
  }

  @AfterEach
  void stop() {
    target.close();
    api.close();
  }

  private AgentUnderTest agent() throws IOException {
    Path noGuard = Files.writeString(home.resolve("no-guard.yaml"), "guard: {enabled: false}\n");
    return AgentUnderTest.start(
        Map.of("XDG_STATE_HOME", home.resolve("state").toString()),
        "agent",
        "--kubeconfig=" + home.resolve("kubeconfig"),
        "--config=" + noGuard,
        "--node-name=here",
        "--runtime-endpoint=none",
        "--monitor=none",
        "--listen=127.0.0.1:0");
  }

  private String probe(String path, int failureThreshold) {
    return "{period: 100ms, timeout: 1m, failureThreshold: %d, httpGet: {port: %d, path: %s}}"
        .formatted(failureThreshold, target.port(), path);
  }

  /** The probes of the one container by kind. */
  private static Map<String, JsonNode> probes(AgentUnderTest agent) throws Exception {
    Map<String, JsonNode> probes = new HashMap<>();
    agent.container().path("probes").forEach(each -> probes.put(each.path("kind").asText(), each));
    return probes;
  }

  private static int run(AgentUnderTest agent, String kind) throws Exception {
    JsonNode probe = probes(agent).get(kind);
    return probe == null ? 0 : probe.path("consecutive").asInt();
  }

  @Test
  @DisplayName(
      "W-8 a restart of the agent kills no starting container and remembers those that started")
  void restart() throws Exception {
    AtomicInteger startup = target.answer("/startup");
    AtomicInteger liveness = target.answer("/liveness");
    startup.set(500);
    liveness.set(500);
    api.put(
        ApiPods.pod(
            "a",
            "\"probelet.io/probes\": \"web: {startup: %s, liveness: %s}\""
                .formatted(probe("/startup", 100_000), probe("/liveness", 1)),
            ""));
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> run(agent, "startup") > 5);
      assertThat(agent.container().path("started").asBoolean())
          .as("the kubelet says so, who has no startup probe")
          .isFalse();
      assertThat(api.writes("/eviction")).isEmpty();

      liveness.set(200);
      startup.set(200);
      patiently().until(() -> run(agent, "liveness") > 0);
      assertThat(agent.container().path("started").asBoolean()).isTrue();
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
    }
    startup.set(500);
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> run(agent, "liveness") > 0);
      assertThat(agent.container().path("started").asBoolean()).isTrue();
      assertThat(run(agent, "startup")).isZero();
    }
  }

  @Test
  @DisplayName("the readiness gate and events of a terminating pod follow its probes")
  void ending() throws Exception {
    AtomicInteger readiness = target.answer("/");
    String running =
        ApiPods.pod(
                "r",
                "\"probelet.io/probes\": \"web: {readiness: %s}\"".formatted(probe("/", 1)),
                "")
            .replace(
                "\"restartPolicy\"",
                "\"readinessGates\": [{\"conditionType\": \"probelet.io/ready\"}],"
                    + " \"restartPolicy\"");
    api.put(running);
    try (AgentUnderTest _ = agent()) {
      patiently().until(() -> conditions().contains("True"));
      api.put(
          running
              .replace(
                  "\"annotations\"",
                  "\"deletionTimestamp\": \"2026-11-21T12:00:00Z\", \"annotations\"")
              .replace(
                  "{\"type\": \"Ready\"",
                  "{\"type\": \"probelet.io/ready\", \"status\": \"True\"}, {\"type\": \"Ready\""));
      readiness.set(500);
      patiently().until(() -> conditions().getLast().equals("False"));
      patiently()
          .until(() ->
              api.writes("/namespaces/shop/events").stream()
                  .anyMatch(event -> event.body().contains("Readiness probe failed")));
    }
  }

  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(1)).ignoreExceptions();
  }

  private List<String> conditions() {
    return api.writes("/pods/r/status").stream()
        .map(each -> each.body().contains("\"status\":\"True\"") ? "True" : "False")
        .toList();
  }
}
