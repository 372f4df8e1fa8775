package io.probelet.fleet;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.JsonLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single agents through the API server's proxy, and what a node may do that is taken over. */
@Timeout(120)
class FleetAgentTest {
  private static final String PODS =
      "{\"items\": [{\"metadata\": {\"name\": \"a-1\"}, \"status\": {\"phase\": \"Running\"}}]}";
  private FakeApiServer server;
  private FleetAgent agent;

  @BeforeEach
  void start() throws IOException {
    server = new FakeApiServer();
    agent =
        new FleetAgent(
            ApiServer.of(server.client(), Duration.ofSeconds(10)),
            "probelet-system",
            SystemClock.INSTANCE);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void answers(int code, String body) {
    server.faults().answerNext(200, PODS, false);
    server.faults().answerNext(code, body, false);
  }

  @Test
  @DisplayName("The node and its containers, from the pod that the API server names")
  void answered() throws Exception {
    answers(200, "{\"conditions\": [], \"events\": [], \"sources\": []}");
    assertThat(agent.node("w-1").conditions()).isEmpty();
    assertThat(server.requests())
        .extracting(FakeApiServer.Request::path)
        .containsExactly(
            "/api/v1/namespaces/probelet-system/pods",
            "/api/v1/namespaces/probelet-system/pods/a-1:20258/proxy/api/v1/node");
    assertThat(server.requests().getFirst().query())
        .containsEntry("fieldSelector", "spec.nodeName=w-1,status.phase=Running")
        .containsEntry("labelSelector", "app.kubernetes.io/name=probelet-agent");
    answers(200, "[{\"namespace\": \"d\", \"pod\": \"p\", \"container\": \"c\", \"probes\": []}]");
    assertThat(agent.containers("w-1", 60)).extracting(ContainerView::pod).containsExactly("p");
    assertThat(server.requests().getLast().query()).containsEntry("history", "60");
  }

  @Test
  @DisplayName("The agents of a release of the chart with another name")
  void release() throws Exception {
    server.faults().answerNext(200, "{\"items\": []}", false);
    answers(200, "[]");
    assertThat(agent.containers("w-1", 1)).isEmpty();
    assertThat(server.requests().get(1).query())
        .containsEntry(
            "labelSelector",
            "app.kubernetes.io/part-of=probelet,app.kubernetes.io/component=agent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[1]; unexpected response",
        "null; unexpected response",
        "{\"conditions\": 1, \"events\": [], \"sources\": []}; unexpected response",
        "{\"conditions\": [; agent of node w-1: response of pod a-1 refused: ",
        "<html>; agent of node w-1: response of pod a-1 refused: ",
      })
  @DisplayName("What is no answer of an agent is refused")
  void refused(String body, String why) {
    answers(200, body);
    assertThatThrownBy(() -> agent.node("w-1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[null]", "[{}]", "[{\"probes\": [null]}]", "null"})
  @DisplayName("Containers that leave out what there has to be are refused")
  void incomplete(String body) {
    answers(200, body);
    assertThatThrownBy(() -> agent.containers("w-1", 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unexpected response");
  }

  @Test
  @DisplayName("Depth, length of texts, number of entries and size have bounds")
  void bounds() {
    answers(200, "[".repeat(17));
    assertThatThrownBy(() -> agent.node("w-1")).hasMessageContaining("refused: Document nesting");
    answers(200, "[\"" + "x".repeat(20_000) + "\"]");
    assertThatThrownBy(() -> agent.node("w-1")).hasMessageContaining("a text with more than 16384");
    answers(200, "[" + ("[" + "[],".repeat(4_000) + "[]],").repeat(200) + "[]]");
    assertThatThrownBy(() -> agent.node("w-1")).hasMessageContaining("more than 600000 values");
    answers(200, " ".repeat(JsonLimits.OF_NODE.bytes() + 1));
    assertThatThrownBy(() -> agent.node("w-1")).hasMessageContaining("refused: more than 8 MiB");
  }

  /** Attack: 2,000,000 texts of one character fit into 8 MiB and not into memory. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"notKnownYet\": [%s]}",
        "{\"conditions\": [{\"type\": \"A\", \"evidence\": [%s]}]}",
        "{\"sources\": [%s]}",
        "{\"unknown\": {\"x\": [%s]}}"
      })
  void refusesMillionsOfShortTexts(String answer) {
    answers(200, answer.formatted("\"a\",".repeat(2_000_000) + "\"a\""));

    assertThatThrownBy(() -> agent.node("w-1"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the agent of node w-1: response of pod a-1 refused:"
                + " a list with more than 5000 values");
  }

  @Test
  void refusesObjectsWithManyFields() {
    String fields =
        IntStream.range(0, 6_000).mapToObj(i -> "\"f" + i + "\": 1").collect(joining(","));
    answers(200, "{" + fields + "}");

    assertThatThrownBy(() -> agent.node("w-1"))
        .hasMessageContaining("a list with more than 5000 values");
  }

  /** The most that a real agent says of its node: 500 containers with three probes each. */
  @Test
  void readsLargestHonestAnswer() throws Exception {
    String outcome = "{\"time\": \"2026-01-01T00:00:00Z\", \"outcome\": \"S\"},".repeat(59);
    String probe = "{\"kind\": \"liveness\", \"history\": [" + outcome + "{}]},";
    String container =
        "{\"pod\": \"p\", \"probes\": [" + probe.repeat(2) + probe.replaceAll(",$", "") + "]},";
    answers(200, "[" + container.repeat(499) + container.replaceAll(",$", "") + "]");

    assertThat(agent.containers("w-1", 60)).hasSize(500);
  }

  @Test
  @DisplayName("A right that is missing, a host name that is not known, a loopback")
  void unreachable() {
    answers(403, "{\"message\": \"cannot get resource pods/proxy\"}");
    assertThatThrownBy(() -> agent.node("w-1"))
        .hasMessage("requires permission: get pods/proxy in namespace probelet-system");
    answers(421, "{\"error\": \"not this host\"}");
    assertThatThrownBy(() -> agent.node("w-1")).hasMessageContaining("add it to http.hosts");
    answers(503, "{\"message\": \"error trying to reach service: connection refused\"}");
    assertThatThrownBy(() -> agent.node("w-1"))
        .hasMessageContaining("connection refused")
        .hasMessageContaining("kubectl -n probelet-system exec a-1 -- probelet status");
    server.faults().answerNext(200, "{\"items\": []}", false);
    server.faults().answerNext(200, "{\"items\": []}", false);
    assertThatThrownBy(() -> agent.node("w-1"))
        .hasMessage("no pod of probelet-agent in namespace probelet-system runs on node w-1");
  }

  @Test
  @DisplayName("A name that would lead elsewhere stays a name")
  void names() {
    assertThat(PodProxy.encoded("../../secrets?x=1 #"))
        .isEqualTo("%2E%2E%2F%2E%2E%2Fsecrets%3Fx%3D1%20%23");
  }
}
