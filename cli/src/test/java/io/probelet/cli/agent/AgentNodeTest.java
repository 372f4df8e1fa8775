package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.agent.cluster.ApiPods;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;

/** The node that {@code probelet agent} watches: a kernel log in, what the API server gets out. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class AgentNodeTest {
  private static final String STATUS = "/nodes/here/status";

  @TempDir Path home;
  private FakeApiServer api;
  private Path kmsg;

  @BeforeEach
  void start() throws IOException {
    api = new FakeApiServer();
    api.put("{apiVersion: v1, kind: Node, metadata: {name: here}}");
    Files.writeString(home.resolve("kubeconfig"), api.kubeconfig());
    kmsg = Files.createFile(home.resolve("kmsg"));
    Files.writeString(
        home.resolve("links.json"),
        """
        {"plugin": "kmsg", "logPath": "/dev/kmsg", "source": "links", "lookback": "5m",
         "conditions": [{"type": "LinkDown", "reason": "LinkIsUp", "message": "link is up"}],
         "rules": [
           {"type": "permanent", "condition": "LinkDown", "reason": "NoCarrier",
            "pattern": "\\\\w+: link down", "clearPattern": "\\\\w+: link up"},
           {"type": "temporary", "reason": "Oops", "pattern": "oops .*"},
           {"type": "temporary", "reason": "OOMKilling", "pattern": "Killed process \\\\d+ .*"}]}
        """);
    Files.writeString(
        home.resolve("agent.yaml"),
        "nodeMonitor: {monitors: [%s], stateFolder: %s}\n"
            .formatted(home.resolve("links.json"), home.resolve("state")));
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private AgentUnderTest agent(String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "agent",
                "--kubeconfig=" + home.resolve("kubeconfig"),
                "--config=" + home.resolve("agent.yaml"),
                "--kmsg=" + kmsg,
                "--node-name=here",
                "--runtime-endpoint=none",
                "--listen=127.0.0.1:0"));
    arguments.addAll(List.of(more));
    return AgentUnderTest.start(arguments.toArray(String[]::new));
  }

  private void log(String line) throws IOException {
    Files.writeString(kmsg, line + "\n", StandardOpenOption.APPEND);
  }

  /** The condition as it was written last; missing before that. */
  private JsonNode written() throws IOException {
    var writes = api.writes(STATUS);
    return writes.isEmpty()
        ? new ObjectMapper().missingNode()
        : new ObjectMapper().readTree(writes.getLast().body()).at("/status/conditions/0");
  }

  private void awaitWritten(String status) {
    patiently().until(() -> written().path("status").asText().equals(status));
  }

  @Test
  @DisplayName(
      "NM-8, A-4, B-12 conditions and events are written on the Node; a restart repeats and forgets none")
  void publishes() throws Exception {
    JsonNode down;
    try (AgentUnderTest agent = agent()) {
      awaitWritten("False");
      log("eth0: link down");
      log("oops %d {}");
      awaitWritten("True");
      down = written();
      assertThat(down.path("reason").asText()).isEqualTo("NoCarrier");
      assertThat(down.path("message").asText()).isEqualTo("eth0: link down");
      patiently().until(() -> api.writes("/namespaces/default/events").size() == 2);
      assertThat(api.writes("/events"))
          .extracting(FakeApiServer.Request::body)
          .anyMatch(body ->
              body.contains("\"reason\":\"Oops\"")
                  && body.contains("\"message\":\"oops %d {}\"")
                  && body.contains("\"kind\":\"Node\",\"name\":\"here\",\"uid\":\"here\"")
                  && body.contains("\"component\":\"links\""))
          .anyMatch(
              body -> body.contains("Node condition LinkDown is now: True, reason: NoCarrier"));
      assertThat(agent.get("/api/v1/node")).contains("\"type\":\"LinkDown\",\"status\":\"True\"");
      assertThat(agent.get("/metrics").lines())
          .contains("problem_gauge{node=\"here\",reason=\"NoCarrier\",type=\"LinkDown\"} 1.0")
          .anyMatch(line -> line.matches("probelet_node_patches_total[^ ]* [1-9].*"));
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
      assertThat(agent.lines()).noneMatch(line -> line.contains("Exception"));
    }
    int before = api.writes(STATUS).size();
    try (AgentUnderTest agent = agent()) {
      patiently().until(() -> api.writes(STATUS).size() > before);
      assertThat(written().path("status").asText()).isEqualTo("True");
      assertThat(written().path("lastTransitionTime")).isEqualTo(down.path("lastTransitionTime"));
      assertThat(api.writes("/events")).hasSize(2);
      log("eth0: link up");
      awaitWritten("False");
      String links = Files.readString(home.resolve("links.json"));
      Files.writeString(home.resolve("links.json"), links.replace("LinkDown", "LinkLost"));
      patiently() // B-12, B-6
          .until(() ->
              api.writes(STATUS).getLast().body().contains("LinkLost")
                  && api.writes(STATUS).stream()
                      .anyMatch(write ->
                          write.body().contains("{\"$patch\":\"delete\",\"type\":\"LinkDown\"}")));
      agent.signal("TERM");
      agent.exitCode();
    }
  }

  @Test
  @DisplayName("B-10 reports a process that the kernel killed on its pod, too")
  void oom() throws Exception {
    String uid = "3f0f5a0e-0ae0-4c36-b3f0-7f3a5a3f4c11";
    String id = "0123456789abcdef".repeat(4);
    api.put(ApiPods.running("a").replace("uid-a", uid).replace("id-a", id));
    String pod = "/kubepods/pod" + uid;
    Path root = home.resolve("root");
    Path cgroup = Files.createDirectories(root.resolve("sys/fs/cgroup" + pod));
    Files.writeString(cgroup.resolve("memory.events"), "low 0\nhigh 0\noom 1\noom_kill 1\n");
    try (AgentUnderTest agent = agent("--host-root=" + root)) {
      patiently().until(() -> agent.container().path("id").asText().equals(id));
      log(
          "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg="
              + pod
              + ",task_memcg="
              + pod
              + "/"
              + id
              + ",task=java,pid=7,uid=0");
      log("Memory cgroup out of memory: Killed process 7 (java) total-vm:1kB");
      patiently().until(() -> events("shop").size() == 1 && events("default").size() == 1);
      assertThat(events("shop").getFirst())
          .contains("Killed process 7 (java) total-vm:1kB; in container")
          .contains("\"kind\":\"Pod\"", "\"name\":\"a\"", uid, "spec.containers{web}");
      assertThat(events("default").getFirst())
          .contains("\"kind\":\"Node\"", "; in container web of pod shop/a (" + uid + ")");
      agent.signal("TERM");
      agent.exitCode();
    }
  }

  /** Those of the kill; the pod has a probe, too, that may fail meanwhile. */
  private List<String> events(String namespace) {
    return api.writes("/namespaces/" + namespace + "/events").stream()
        .map(FakeApiServer.Request::body)
        .filter(body -> body.contains("\"reason\":\"OOMKilling\""))
        .toList();
  }

  @Test
  @DisplayName("names file and line of invalid monitors and does not start")
  void refuses() throws Exception {
    Files.writeString(home.resolve("links.json"), "{\"plugin\": \"kmesg\"}");
    try (AgentUnderTest agent = agent()) {
      throw new AssertionError("began: " + agent.lines());
    } catch (IOException ended) {
      assertThat(ended)
          .hasMessageContaining("invalid monitors")
          .hasMessageContaining("links.json:1:")
          .hasMessageContaining(
              "\"kmesg\": supported values: \"kmsg\", \"journald\", \"filelog\", \"custom\"");
    }
  }

  @Test
  @DisplayName("B-6 --uninstall requires the node's name and permissions, and starts no agent")
  void uninstall() {
    assertThat(uninstall("--uninstall", "--node-name=")).isEqualTo(2);
    assertThat(uninstall("--uninstall", "--node-name=here")).isZero();
    assertThat(uninstall("--uninstall=all")).isZero();
    api.faults().failNext(403, "no right", "");
    assertThat(uninstall("--uninstall=all")).isEqualTo(1);
    assertThat(api.requests()).allMatch(request -> request.method().equals("GET"));
  }

  private int uninstall(String... arguments) {
    StringWriter told = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--kubeconfig=" + home.resolve("kubeconfig"));
    return new CommandLine(new AgentCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(told, true))
        .setErr(new PrintWriter(told, true))
        .execute(all.toArray(String[]::new));
  }

  private static ConditionFactory patiently() {
    return await().timeout(Duration.ofSeconds(60)).ignoreExceptions();
  }
}
