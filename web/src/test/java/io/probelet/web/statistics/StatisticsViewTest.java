package io.probelet.web.statistics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.OutcomeRun.Result;
import io.probelet.probe.latency.ProbeStatistics;
import io.probelet.web.Snapshots;
import io.probelet.web.api.JsonLimits;
import io.probelet.web.api.ViewJson;
import io.probelet.web.http.Containers;
import io.probelet.web.statistics.StatisticsView.Owner;
import io.probelet.web.statistics.StatisticsView.Usage;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Statistics as JSON, and back. */
class StatisticsViewTest {
  private static final List<Result> RESULTS = List.of(Result.values());
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final ProbeSpec SPEC =
      ProbeSpec.of(new ProbeHandler.TcpSocket(new Port.Numeric(8080), null)).build();

  private static final Usage USAGE =
      new Usage() {
        @Override
        public long usedBytes() {
          return 1_536;
        }

        @Override
        public long limitBytes() {
          return 3 << 20;
        }

        @Override
        public int probesWithout() {
          return 2;
        }
      };

  private static ProbeStatistics statistics(int bins) {
    LatencySketch success = new LatencySketch();
    for (int i = 0; i < bins; i++) {
      success.add((long) (1e6 * Math.pow(1.105, i)));
    }
    List<OutcomeRun> runs = new ArrayList<>();
    for (int i = 0; i < ProbeStatistics.MAX_RUNS; i++) {
      Instant at = NOON.plusSeconds(60L * i);
      runs.add(new OutcomeRun(RESULTS.get(i % 3), i % 7 == 6, at, at.plusSeconds(10), 2));
    }
    return new ProbeStatistics(
        success,
        success.copy(),
        runs,
        List.of(Duration.ofMillis(8_123)),
        NOON,
        Duration.ofHours(3));
  }

  private static ContainerSnapshot container(String pod, ProbeStatistics statistics) {
    return Snapshots.running(
        "shop",
        pod,
        "web",
        new ProbeSnapshot(
            ProbeKind.LIVENESS,
            SPEC,
            ProbeResult.SUCCESS,
            ProbeResult.SUCCESS,
            1,
            NOON,
            Duration.ZERO,
            "",
            ProbeSnapshot.Obstacle.NONE,
            null,
            List.of(),
            null,
            null,
            statistics));
  }

  private static StatisticsView view(ContainerSnapshot... containers) {
    return StatisticsView.of(
        List.of(containers), _ -> Optional.of(new Owner("ReplicaSet", "web-7d4b9c8f6d")), USAGE);
  }

  @Test
  void survivesJson() throws Exception {
    ProbeStatistics statistics = statistics(60);
    String json = ViewJson.write(view(container("web-1", statistics)));
    assertThat(json)
        .contains(
            "\"owner\":{\"kind\":\"ReplicaSet\",\"name\":\"web-7d4b9c8f6d\"}",
            "\"does\":\"connect to <pod>:8080\"",
            "\"periodMs\":10000",
            "\"timeoutMs\":1000",
            "\"relativeError\":0.05",
            "\"startsMs\":[8123]",
            "\"usedBytes\":1536,\"limitBytes\":3145728,\"probesWithout\":2");
    StatisticsView back = ViewJson.read(json.getBytes(UTF_8), StatisticsView.class);
    ProbeStatistics read = back.containers().getFirst().probes().getFirst().seen().statistics();
    assertThat(read.success().bins()).isEqualTo(statistics.success().bins());
    assertThat(read.failure().bins()).isEqualTo(statistics.failure().bins());
    assertThat(read.runs()).isEqualTo(statistics.runs());
    assertThat(read.starts()).isEqualTo(statistics.starts());
    assertThat(read.since()).isEqualTo(NOON);
    assertThat(read.halvedAgo()).isEqualTo(Duration.ofHours(3));
  }

  @Test
  void whatAnotherAgentLeavesOutIsEmpty() throws Exception {
    StatisticsView view =
        ViewJson.read(
            "{\"containers\":[null,{\"probes\":[{\"seen\":{\"since\":\"2026-11-21T12:00:00Z\"}}]}]}"
                .getBytes(UTF_8),
            StatisticsView.class);
    assertThat(view.containers()).hasSize(1);
    assertThat(
            view.containers().getFirst().probes().getFirst().seen().statistics().success().count())
        .isZero();
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    for (String wrong :
        List.of(
            "\"since\":\"yesterday\"",
            "\"since\":\"2026-11-21T12:00:00Z\",\"success\":{\"latencyMs\":[1],\"counts\":[]}",
            "\"since\":\"2026-11-21T12:00:00Z\",\"success\":{\"latencyMs\":[1],\"counts\":[-1]}",
            "\"since\":\"2026-11-21T12:00:00Z\",\"startsMs\":[-1]",
            "\"since\":\"2026-11-21T12:00:00Z\",\"runs\":[{\"result\":\"maybe\",\"count\":1}]",
            "\"since\":\"2026-11-21T12:00:00Z\",\"runs\":[{\"result\":\"success\",\"count\":1}]")) {
      StatisticsView view =
          ViewJson.read(
              ("{\"containers\":[{\"probes\":[{\"seen\":{" + wrong + "}}]}]}").getBytes(UTF_8),
              StatisticsView.class);
      var seen = view.containers().getFirst().probes().getFirst().seen();
      assertThatThrownBy(seen::statistics).as(wrong).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aNodeFullOfNoisyProbesStillFitsItsReaders() throws Exception {
    ProbeStatistics noisy = statistics(LatencySketch.MAX_BINS);
    ContainerSnapshot[] many = new ContainerSnapshot[2_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = container("web-" + i, noisy);
    }
    StatisticsView view = view(many);
    assertThat(view.containers().size() + view.omitted()).isEqualTo(many.length);
    assertThat(view.omitted()).isPositive();
    JsonLimits.OF_NODE.check(ViewJson.write(view).getBytes(UTF_8));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StatisticsView.write(
        List.of(many), _ -> Optional.of(new Owner("ReplicaSet", "web-7d4b9c8f6d")), USAGE, out);
    assertThat(out.toString(UTF_8)).isEqualTo(ViewJson.write(view));
  }

  @Test
  void theResourceChoosesAPod() throws Exception {
    List<ContainerSnapshot> all =
        List.of(container("web-1", statistics(1)), container("web-2", statistics(1)));
    List<HistoryQuery> asked = new ArrayList<>();
    StatisticsResource resource =
        new StatisticsResource(
            new Containers((wanted, which) -> {
              asked.add(wanted);
              return CompletableFuture.completedFuture(
                  all.stream()
                      .filter(each -> which.test(each.status().pod(), each.status().name()))
                      .toList());
            }),
            _ -> Optional.empty(),
            USAGE);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    resource.get(Map.of("pod", List.of("shop/web-2"))).body().writeTo(out);
    assertThat(out.toString(UTF_8)).contains("web-2").doesNotContain("web-1", "owner");
    assertThat(asked).containsExactly(HistoryQuery.STATISTICS);
  }
}
