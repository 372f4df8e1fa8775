package io.probelet.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.http.NodeResource;
import io.probelet.agent.http.Resource;
import io.probelet.agent.metrics.AgentMetrics;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.node.NodeEvent;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.monitor.node.SourceState;
import io.probelet.monitor.node.SourceView;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
          List.of(),
          List.of(new NodeEvent("links", "NoCarrier", "LinkDown became True: eth0", AT, true)),
          Map.of("NoCarrier", 2L),
          List.of(new NodeSnapshot.Problem("LinkDown", "NoCarrier", true)),
          List.of(
              new SourceView("links", new SourceState.Running(), 7, 2, 1, 3, 0, 0.5),
              new SourceView(
                  "services",
                  new SourceState.Unavailable(Obstacle.NOT_THERE, "no journal"),
                  0,
                  0,
                  0,
                  0,
                  0,
                  0)),
          3);

  private static String body(Resource resource) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    resource.get(Map.of()).body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("/api/v1/node shows conditions, events and monitors")
  void json() throws Exception {
    assertThat(body(new NodeResource(() -> CompletableFuture.completedFuture(NODE))))
        .isEqualTo(
            """
            {"conditions":[{"type":"LinkDown","status":"True","reason":"NoCarrier","message":"eth0",\
            "lastTransitionTime":"2026-11-21T12:00:00.123Z"}],\
            "events":[{"time":"2026-11-21T12:00:00.123Z","source":"links","reason":"NoCarrier",\
            "message":"LinkDown became True: eth0"}],\
            "sources":[{"name":"links","state":"running","reason":"","trouble":"",\
            "reads":7,"matches":2,"lost":1,"unread":3,"timeouts":0},\
            {"name":"services","state":"unavailable","reason":"not-there","trouble":"no journal",\
            "reads":0,"matches":0,"lost":0,"unread":0,"timeouts":0}]}\
            """);
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
            "probelet_monitor_source_available{reason=\"\",source=\"links\"} 1.0",
            "probelet_monitor_source_available{reason=\"not-there\",source=\"services\"} 0.0",
            "probelet_monitor_waiting 3.0");
  }
}
