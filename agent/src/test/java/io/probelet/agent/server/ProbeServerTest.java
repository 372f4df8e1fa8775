package io.probelet.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.agent.cluster.restart.Targets;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.service.ProbeService;
import io.probelet.web.http.UnixClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The probe server over its socket, on a real engine. */
@Timeout(180)
class ProbeServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private final List<String> stoppedElsewhere = new ArrayList<>();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private volatile int status = 200;
  private HttpServer target;
  private ProbeServer server;
  private ProbeService service;
  private UnixClient client;

  @BeforeEach
  void start() throws IOException {
    target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext(
        "/",
        request -> {
          request.sendResponseHeaders(status, -1);
          request.close();
        });
    target.start();
    server =
        new ProbeServer(AgentConfiguration.DEFAULT.podRules(), new Random(7), SystemClock.INSTANCE);
    service =
        ProbeService.builder()
            .runtime(server.runtime(ContainerRuntime.none("not of a client")))
            .stopper(server.stopper(decision -> stoppedElsewhere.add(decision.containerId())))
            .gate(server.gate())
            .start();
    server.open(folder.resolve("s"), service.engine());
    server.addTo(metrics);
    client = new UnixClient(folder.resolve("s"));
  }

  @AfterEach
  void stop() {
    server.close();
    service.close();
    target.stop(0);
  }

  private String pod(String uid, String containerId, String annotations) {
    return """
    {"metadata": {"namespace": "shop", "name": "web", "uid": "%s", "annotations": {
       "probelet.io/probes": "app: {liveness: {period: 100ms, timeout: 1m}}"%s}},
     "spec": {"containers": [{"name": "app", "livenessProbe":
       {"httpGet": {"port": %d}, "failureThreshold": 2}}]},
     "status": {"phase": "Running", "podIP": "127.0.0.1", "containerStatuses": [
       {"name": "app", "containerID": "%s",
        "state": {"running": {"startedAt": "2026-11-27T00:00:00Z"}}}]}}
    """
        .formatted(uid, annotations, target.getAddress().getPort(), containerId);
  }

  private JsonNode put(String pod) throws IOException {
    UnixClient.Answer answer = client.send("PUT", "/v1/pods", pod);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private JsonNode state() throws IOException {
    return JSON.readTree(client.get("/v1/pods").body());
  }

  private JsonNode events(JsonNode state) throws IOException {
    return JSON.readTree(
        client
            .get(
                "/v1/events?wait=0&instance=%s&after=%d"
                    .formatted(state.path("instance").asText(), state.path("sequence").asLong()))
            .body());
  }

  private static List<String> types(JsonNode events) {
    List<String> types = new ArrayList<>();
    events.path("events").forEach(event -> types.add(event.path("type").asText()));
    return types;
  }

  @Test
  @DisplayName("PS-1 a pod that is handed over is probed, and its results are told")
  void results() throws Exception {
    JsonNode before = state();
    JsonNode taken = put(pod("u", "first", ""));
    assertThat(taken.path("probes").asInt()).isEqualTo(1);
    assertThat(taken.path("problems")).isEmpty();
    await().until(() -> state().path("containers").path(0).path("ready").asBoolean());
    assertThat(types(events(before))).contains("Result", "Container");
    assertThat(state().path("pods").path(0).path("uid").asText()).isEqualTo("u");

    long seen = state().path("sequence").asLong();
    put(pod("u", "first", ""));
    assertThat(state().path("sequence").asLong()).as("the same again").isEqualTo(seen);
  }

  @Test
  @DisplayName("PS-5 a restart is pending until the client reports another instance")
  void restart() throws Exception {
    JsonNode before = state();
    put(pod("u", "first", ""));
    await().until(() -> state().path("containers").path(0).path("ready").asBoolean());
    status = 500;
    await().until(() -> state().path("restarts").size() == 1);
    JsonNode restart = state().path("restarts").path(0);
    assertThat(restart.path("containerID").asText()).isEqualTo("first");
    assertThat(restart.path("gracePeriodSeconds").asInt()).isEqualTo(30);
    assertThat(restart.path("message").asText())
        .isEqualTo("HTTP probe failed with statuscode: 500");
    assertThat(types(events(before))).contains("Restart");
    assertThat(metrics.get("probelet.probe.server.restarts.pending").gauge().value()).isEqualTo(1);

    put(pod("u", "first", ""));
    assertThat(state().path("restarts")).as("nothing has been restarted").hasSize(1);
    status = 200;
    put(pod("u", "second", ""));
    assertThat(state().path("restarts")).isEmpty();
    await()
        .until(() ->
            state().path("containers").path(0).path("id").asText().equals("second")
                && state().path("containers").path(0).path("ready").asBoolean());
    assertThat(stoppedElsewhere).isEmpty();
  }

  @Test
  @DisplayName("PS-5 a pod that is removed has no pending restart")
  void removed() throws Exception {
    status = 500;
    put(pod("u", "first", ""));
    await().until(() -> state().path("restarts").size() == 1);
    assertThat(client.send("DELETE", "/v1/pods?namespace=shop&name=web&uid=u", "").status())
        .isEqualTo(200);
    assertThat(state().path("restarts")).isEmpty();
    assertThat(state().path("pods")).isEmpty();
    assertThat(client.send("DELETE", "/v1/pods?namespace=shop&name=web&uid=u", "").status())
        .isEqualTo(404);
  }

  @Test
  @DisplayName("PS-1 a pod that is to be observed only is probed and not restarted")
  void observed() throws Exception {
    JsonNode before = state();
    status = 500;
    put(pod("u", "first", ", \"probelet.io/enforcement\": \"observe\""));
    await().until(() -> events(before).toString().contains("\"Failure\""));
    await().until(() -> events(before).path("events").size() >= 2);
    assertThat(state().path("restarts")).isEmpty();
  }

  @Test
  @DisplayName("PS-1 an author's annotation does not give a pod another uid")
  void mirror() throws Exception {
    put(pod("u", "first", ", \"kubernetes.io/config.mirror\": \"other\""));
    assertThat(state().path("pods").path(0).path("uid").asText()).isEqualTo("u");
  }

  private static String execPod(String command) {
    return """
    {"metadata": {"namespace": "shop", "name": "web", "uid": "u"},
     "spec": {"containers": [{"name": "app", "livenessProbe":
       {"exec": {"command": ["%s"]}, "periodSeconds": 1, "failureThreshold": 1}}]},
     "status": {"phase": "Running", "podIP": "127.0.0.1", "containerStatuses": [
       {"name": "app", "containerID": "first",
        "state": {"running": {"startedAt": "2026-11-27T00:00:00Z"}}}]}}
    """
        .formatted(command);
  }

  private JsonNode nextCommand() throws IOException {
    await().until(() -> !state().path("execs").isEmpty());
    return state().path("execs").path(0);
  }

  private int answer(JsonNode command, String rest) throws IOException {
    String body = "{\"id\": %d%s}".formatted(command.path("id").asLong(), rest);
    return client.send("POST", "/v1/execs", body).status();
  }

  @Test
  @DisplayName("PS-3 the client runs the command of an exec probe, and its exit code decides")
  void exec() throws IOException {
    JsonNode before = state();
    put(execPod("check"));
    JsonNode first = nextCommand();
    assertThat(first.path("command").path(0).asText()).isEqualTo("check");
    assertThat(first.path("container").asText()).isEqualTo("app");
    assertThat(first.path("containerID").asText()).isEqualTo("first");
    assertThat(first.path("timeoutSeconds").asDouble()).isEqualTo(1);
    assertThat(types(events(before))).contains("Exec");
    assertThat(answer(first, ", \"exitCode\": 0")).isEqualTo(200);
    assertThat(answer(first, ", \"exitCode\": 1")).as("a second answer").isEqualTo(404);
    assertThat(state().path("restarts")).isEmpty();

    assertThat(answer(nextCommand(), ", \"exitCode\": 3, \"output\": \"broken\"")).isEqualTo(200);
    await().until(() -> state().path("restarts").size() == 1);
    assertThat(state().path("restarts").path(0).path("message").asText()).isEqualTo("broken");
  }

  @Test
  @DisplayName("PS-3 a command that the client ended at its timeout is a failure")
  void execTimedOut() throws IOException {
    put(execPod("slow"));
    assertThat(answer(nextCommand(), "")).isEqualTo(200);
    await().until(() -> state().path("restarts").size() == 1);
    assertThat(state().path("restarts").path(0).path("message").asText())
        .isEqualTo("command timed out: \"slow\" timed out after 1s");
  }

  @Test
  @DisplayName("PS-4 a command beyond the limit is not sent, and decides nothing")
  void longCommand() throws IOException {
    JsonNode before = state();
    put(execPod("x".repeat(PendingCommands.MAX_COMMAND + 1)));
    await()
        .until(() -> state().path("containers").path(0).path("probes").toString().contains("4097"));
    assertThat(types(events(before))).doesNotContain("Exec");
    assertThat(state().path("restarts")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nonsense                      | 400
          {}                            | 400
          {"id": 99, "exitCode": 0}     | 404
          """)
  void anAnswerToNoCommandIsRefused(String body, int refused) throws IOException {
    assertThat(client.send("POST", "/v1/execs", body).status()).isEqualTo(refused);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [1]                               | not a JSON object
          {                                 | {"error":"not JSON, at line 1, column 2"}
          nonsense                          | {"error":"not JSON, at line 1, column
          {"metadata": {"namespace": "shop", "name": "A_b", "uid": "1"}} | metadata.name must be a lowercase RFC 1123 subdomain
          {"metadata": {"namespace": "a.b", "name": "web", "uid": "1"}}  | metadata.namespace must be a lowercase RFC 1123 label
          {} {}                             | more than one JSON value
          {"kind": "Node"}                  | kind must be Pod, found Node
          {"metadata": {"name": "web"}}     | metadata.uid and spec are required
          {"status": {"containerStatuses": [{"state": {"running": {"startedAt": "2026-11-27T00:00:00Z"}}}]}} | containerStatuses[].containerID is required
          {"status": {"containerStatuses": [{"containerID": "a", "state": {"running": {}}}]}} | startedAt must be a time
          {"status": {"initContainerStatuses": [{"containerID": "a", "state": {"running": {"startedAt": "now"}}}]}} | startedAt must be a time such as
          """)
  void anInvalidBodyIsRefusedAndExplained(String body, String reason) throws IOException {
    UnixClient.Answer answer = client.send("PUT", "/v1/pods", body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
  }

  @Test
  @DisplayName("PS-4 clients that hang up while they wait for events keep no others out")
  void abandoned() throws Exception {
    String instance = state().path("instance").asText();
    long after = state().path("sequence").asLong();
    for (int i = 0; i < 40; i++) {
      client.abandon("/v1/events?wait=30&instance=%s&after=%d".formatted(instance, after));
    }
    // What was refused in the rush is answered once the eldest waits have ended: they take 30 s.
    long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
    int answer = client.get("/v1/pods").status();
    while (answer == 503 && System.nanoTime() < end) {
      answer = client.get("/v1/pods").status();
    }
    assertThat(answer).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /v1/events                               | instance is required
          /v1/events?instance=i                    | after must be a number from 0
          /v1/events?instance=i&after=-1           | after must be a number from 0
          /v1/events?instance=i&after=0&wait=31    | wait must be a number from 0 to 30
          """)
  void anInvalidQueryIsRefusedAndExplained(String target, String reason) throws IOException {
    UnixClient.Answer answer = client.get(target);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
  }

  @Test
  @DisplayName("PS-4 one pod more than 500 is refused, and the others are probed")
  void tooMany() throws IOException {
    for (int i = 0; i < ServedPods.MAX_PODS; i++) {
      put(idle(i, 1));
    }
    UnixClient.Answer answer = client.send("PUT", "/v1/pods", idle(ServedPods.MAX_PODS, 1));
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.body()).contains("too many pods: the server takes 500");
    assertThat(state().path("pods")).hasSize(500);
    put(idle(3, 1)); // one that is there already
    assertThat(metrics.get("probelet.probe.server.pods").gauge().value()).isEqualTo(500);
  }

  @Test
  @DisplayName("PS-4 containers are limited over all pods")
  void tooManyContainers() throws IOException {
    for (int i = 0; i < 8; i++) {
      put(idle(i, 250));
    }
    UnixClient.Answer answer = client.send("PUT", "/v1/pods", idle(8, 1));
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.body()).contains("the server takes 2000, has 2000, and the pod has 1");
  }

  @Test
  @DisplayName("PS-4 pods are limited in bytes, too, and so are the ids that they name")
  void tooLarge() throws IOException {
    String large =
        idle(0, 1)
            .replace("{\"metadata\"", "{\"x\": \"" + "x".repeat(900_000) + "\", \"metadata\"");
    int most = ServedPods.MAX_BYTES / large.length();
    for (int i = 0; i < most; i++) {
      put(large.replace("\"p0\"", "\"p" + i + "\"").replace("\"u0\"", "\"u" + i + "\""));
    }
    UnixClient.Answer answer = client.send("PUT", "/v1/pods", large.replace("p0", "other"));
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.body()).contains("pods are too large: the server takes 16777216 bytes");
    for (int length : List.of(512, 513)) {
      UnixClient.Answer id = client.send("PUT", "/v1/pods", pod("u1", "c".repeat(length), ""));
      assertThat(id.body().contains("containerID must have at most 512 characters"))
          .isEqualTo(length > 512);
    }
  }

  @Test
  @DisplayName(
      "PS-5 a restart that is decided after the client has reported the end is not pending")
  void lateRestart() throws Exception {
    EventBuffer events = new EventBuffer(SystemClock.INSTANCE);
    PendingRestarts restarts =
        new PendingRestarts(events, SystemClock.INSTANCE.threads(), _ -> Optional.empty());
    restarts.stop(
        new RestartDecision(
            new ProbeSubject(new PodRef("shop", "web", "u1"), "app", ProbeKind.LIVENESS),
            Targets.of(new PodRef("shop", "web", "u1"), "app", "c1"),
            Duration.ofSeconds(1),
            new ProbeEvent("Normal", "Killing", "stopped"),
            "failed"));
    assertThat(restarts.all()).isEmpty();
    assertThat(events.last()).isZero();
  }

  /** A pod whose containers do not run yet. */
  private static String idle(int number, int containers) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < containers; i++) {
      list.append(i == 0 ? "" : ",").append("{\"name\": \"c").append(i).append("\"}");
    }
    return """
    {"metadata": {"namespace": "shop", "name": "p%d", "uid": "u%d"}, "spec": {"containers": [%s]}}
    """
        .formatted(number, number, list);
  }
}
