package io.probelet.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.node.NodeEvent;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.monitor.node.NodeSnapshot.ConditionDetail;
import io.probelet.monitor.node.SourceView;
import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.track.ConditionHistory;
import io.probelet.monitor.track.ConditionHistory.PastStatus;
import io.probelet.web.api.AgentView;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.ViewJson;
import io.probelet.web.http.NodeResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.WatchedNode;
import io.probelet.web.metrics.AgentMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeShownTest {
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00.123456Z");
  private static final NodeSnapshot NODE =
      new NodeSnapshot(
          List.of(
              new Condition(
                  "LinkDown", ConditionStatus.TRUE, AT, AT, "NoCarrier", "eth0", List.of())),
          Map.of(
              "LinkDown",
              new ConditionDetail(
                  new ConditionHistory(
                      List.of(
                          new PastStatus(
                              AT.minusSeconds(60), ConditionStatus.FALSE, "LinkIsUp", "up"),
                          new PastStatus(AT, ConditionStatus.TRUE, "NoCarrier", "eth0"))),
                  List.of(
                      new ConditionDetail.Found("links", "NoCarrier", "eth0", "eth0 down", AT)))),
          List.of(
              ConditionSpec.of("LinkDown", "LinkIsUp", "up"),
              ConditionSpec.of("DiskFull", "HasRoom", "room")),
          List.of(new NodeEvent("links", "NoCarrier", "LinkDown became True: eth0", AT, true)),
          Map.of("NoCarrier", 2L),
          List.of(new NodeSnapshot.Problem("LinkDown", "NoCarrier", true)),
          List.of(
              new SourceView("links", new SourceState.Running(), 7, 2, 1, 3, 4, 0, 0.5),
              new SourceView(
                  "services",
                  new SourceState.Unavailable(Obstacle.NOT_THERE, "no journal"),
                  0,
                  0,
                  0,
                  0,
                  0,
                  0,
                  0)),
          3);

  private static final AgentView AGENT =
      new AgentView(
          "1.2",
          "2026-11-21T11:00:00Z",
          "",
          new AgentView.Cpu(12.5, 0.5, 60),
          new AgentView.Memory(100, 20, 50),
          null,
          List.of(new AgentView.Queue("probes", 3, null)),
          List.of(new AgentView.Loop("0", 0.1, 2)),
          AgentView.Stalls.NONE,
          null,
          null);

  private static String body(Resource resource) throws Exception {
    return body(resource, Map.of());
  }

  private static String body(Resource resource, Map<String, List<String>> query) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    resource.get(query).body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static NodeResource node() {
    return new NodeResource(
        new WatchedNode(
            () -> CompletableFuture.completedFuture(NODE), () -> AGENT, new ManualClock(AT)));
  }

  @Test
  @DisplayName("/api/v1/node shows conditions, events, monitors and the agent itself")
  void json() throws Exception {
    assertThat(body(node()))
        .isEqualTo(
            """
            {"conditions":[{"type":"LinkDown","status":"True","reason":"NoCarrier","message":"eth0",\
            "lastTransitionTime":"2026-11-21T12:00:00.123Z","changesLastHour":1,\
            "evidence":[{"source":"links","reason":"NoCarrier","device":"eth0",\
            "message":"eth0 down","since":"2026-11-21T12:00:00.123Z"}]}],\
            "events":[{"time":"2026-11-21T12:00:00.123Z","source":"links","reason":"NoCarrier",\
            "message":"LinkDown became True: eth0"}],\
            "sources":[{"name":"links","state":"running","reason":"","trouble":"",\
            "reads":7,"matches":2,"lost":1,"unread":3,"tooOld":4,"timeouts":0},\
            {"name":"services","state":"unavailable","reason":"not-there","trouble":"no journal",\
            "reads":0,"matches":0,"lost":0,"unread":0,"tooOld":0,"timeouts":0}],\
            "notKnownYet":["DiskFull"],"time":"2026-11-21T12:00:00.123Z",\
            "agent":{"version":"1.2","startTime":"2026-11-21T11:00:00Z","trouble":"",\
            "cpu":{"seconds":12.5,"percent":0.5,"overSeconds":60.0},\
            "memory":{"resident":100,"heapUsed":20,"heapMax":50},\
            "queues":[{"name":"probes","length":3}],\
            "loops":[{"loop":"0","meanLagMs":0.1,"maxLagMs":2.0}],\
            "stalls":{"count":0,"seconds":0.0,"last":"","discardedProbes":0}}}\
            """);
  }

  @Test
  @DisplayName("B-18 ?history= shows the newest results of each condition")
  void history() throws Exception {
    assertThat(body(node(), Map.of("history", List.of("true"))))
        .contains(
            "\"history\":[{\"time\":\"2026-11-21T11:59:00.123Z\",\"status\":\"False\","
                + "\"reason\":\"LinkIsUp\",\"message\":\"up\"},"
                + "{\"time\":\"2026-11-21T12:00:00.123Z\",\"status\":\"True\",");
    assertThat(body(node(), Map.of("history", List.of("1"))))
        .contains("\"history\":[{\"time\":\"2026-11-21T12:00:00.123Z\"");
    assertThatThrownBy(() -> body(node(), Map.of("history", List.of("some"))))
        .isInstanceOf(Resource.BadRequest.class)
        .hasMessageContaining("history must be true, false or a number from 0 to 9999, found some");
  }

  @Test
  @DisplayName("What is written is read again; what an agent leaves out is empty")
  void readAgain() throws Exception {
    NodeView view = NodeView.of(NODE, 60, AT).with(AGENT);
    assertThat(read(ViewJson.write(view))).isEqualTo(view);
    NodeView old =
        read(
            """
            {"conditions":[{"type":"A","history":[null,{}]},null],"sources":[{}],"agent":{},"x":1}
            """);
    assertThat(old.conditions()).hasSize(1);
    assertThat(old.conditions().getFirst().evidence()).isEmpty();
    assertThat(old.conditions().getFirst().changes()).hasSize(1);
    assertThat(old.events()).isEmpty();
    assertThat(Objects.requireNonNull(old.agent()).stalls()).isEqualTo(AgentView.Stalls.NONE);
    assertThat(read("{}")).isEqualTo(NodeView.NONE);
  }

  private static NodeView read(String json) throws IOException {
    return ViewJson.read(json.getBytes(StandardCharsets.UTF_8), NodeView.class);
  }

  @Test
  @DisplayName(
      "A-8, B-13, B-17 problems have node-problem-detector's names, monitors tell of themselves")
  void metrics() throws Exception {
    AgentMetrics metrics = new AgentMetrics(Optional.empty(), new ManualClock(AT));
    metrics.node(() -> CompletableFuture.completedFuture(NODE));
    assertThat(body(metrics).lines())
        .contains(
            "problem_counter{reason=\"NoCarrier\"} 2.0",
            "problem_gauge{reason=\"NoCarrier\",type=\"LinkDown\"} 1.0",
            "probelet_monitor_reads_total{source=\"links\"} 7.0",
            "probelet_monitor_lost_lines_total{source=\"links\"} 1.0",
            "probelet_monitor_too_old_lines_total{source=\"links\"} 4.0",
            "probelet_monitor_source_available{reason=\"\",source=\"links\"} 1.0",
            "probelet_monitor_source_available{reason=\"not-there\",source=\"services\"} 0.0",
            "probelet_monitor_waiting 3.0");
  }
}
