package io.probelet.fleet.advise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.AskedNodes;
import io.probelet.fleet.FleetAgent;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.web.api.ViewJson;
import io.probelet.web.statistics.ProbeStatisticsView;
import io.probelet.web.statistics.ProbeStatisticsView.RunView;
import io.probelet.web.statistics.ProbeStatisticsView.Seen;
import io.probelet.web.statistics.ProbeStatisticsView.SketchView;
import io.probelet.web.statistics.StatisticsView;
import io.probelet.web.statistics.StatisticsView.ContainerStatistics;
import io.probelet.web.statistics.StatisticsView.Owner;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** AD-11: statistics of many pods become those of a workload, whatever an agent answers. */
@Timeout(120)
class StatisticsMergeTest {
  private static final RunView RUN =
      new RunView("success", false, "2026-11-21T12:00:00Z", "2026-11-22T12:00:00Z", 8_640);

  private static ProbeStatisticsView probe(long timeoutMs, double count, List<RunView> runs) {
    return new ProbeStatisticsView(
        "liveness",
        "httpGet",
        "GET http://<pod>:8080/healthz",
        "spec",
        0,
        10_000,
        null,
        timeoutMs,
        1,
        3,
        new Seen(
            "2026-11-21T12:00:00Z",
            60,
            LatencySketch.RELATIVE_ERROR,
            new SketchView(count, List.of(20.0), List.of(count)),
            new SketchView(0, List.of(), List.of()),
            runs,
            List.of()));
  }

  private static ContainerStatistics container(
      String pod, String owner, ProbeStatisticsView probe) {
    return new ContainerStatistics(
        "shop",
        pod,
        "uid",
        "app",
        "regular",
        owner.isEmpty() ? null : new Owner("ReplicaSet", owner),
        2,
        null,
        List.of(probe));
  }

  private static StatisticsView view(ContainerStatistics... containers) {
    return new StatisticsView(List.of(containers), 0, 0, 0, 0);
  }

  @Test
  @DisplayName("Pods of all ReplicaSets of a Deployment are one workload, over nodes")
  void mergesByWorkload() {
    StatisticsMerge merge = new StatisticsMerge(_ -> true);
    merge.add(
        "n-1",
        view(
            container("web-a", "web-7d4b9c8f6d", probe(1_000, 100, List.of(RUN))),
            container("web-b", "web-7d4b9c8f6d", probe(1_000, 50, List.of(RUN)))));
    merge.add(
        "n-2",
        view(
            container("web-c", "web-5c9f7b", probe(1_000, 25, List.of(RUN))),
            container("web-d", "web-5c9f7b", probe(5_000, 999, List.of(RUN))),
            container("alone", "", probe(1_000, 1, List.of(RUN)))));
    List<WorkloadEvidence> all = merge.evidence();
    assertThat(all)
        .extracting(each -> each.subject().toString())
        .containsExactly("Deployment shop/web, container app", "Pod shop/alone, container app");
    WorkloadEvidence web = all.getFirst();
    assertThat(web.pods()).isEqualTo(3);
    assertThat(web.nodes()).isEqualTo(2);
    assertThat(web.restarts()).isEqualTo(6);
    assertThat(web.otherPods()).isEqualTo(1); // its timeout is another
    ProbeEvidence liveness = web.probe(ProbeKind.LIVENESS);
    assertThat(liveness.outcomes()).isEqualTo(175);
    assertThat(liveness.span()).isEqualTo(Duration.ofDays(1));
    assertThat(liveness.runs()).hasSize(3);
  }

  @Test
  void aReplicaSetWithoutAHashStaysOne() {
    assertThat(AdviceSubject.of("shop", "ReplicaSet", "web-frontend", "app").kind())
        .isEqualTo("ReplicaSet");
    assertThat(AdviceSubject.of("shop", "StatefulSet", "db-7d4b9c8f6d", "pg").kind())
        .isEqualTo("StatefulSet");
  }

  @Test
  @DisplayName("Numbers that cannot be leave their container out, and are counted")
  void hostileNumbers() throws Exception {
    List<String> wrong =
        List.of(
            "\"periodMs\":0,\"timeoutMs\":1000,\"successThreshold\":1,\"failureThreshold\":3",
            "\"periodMs\":1000,\"timeoutMs\":1,\"successThreshold\":1,\"failureThreshold\":3",
            "\"periodMs\":9223372036854775807,\"timeoutMs\":1000,\"successThreshold\":1,"
                + "\"failureThreshold\":3",
            "\"periodMs\":1000,\"timeoutMs\":1000,\"successThreshold\":1,"
                + "\"failureThreshold\":2147483647",
            "\"periodMs\":1000,\"timeoutMs\":1000,\"successThreshold\":1,\"failureThreshold\":3,"
                + "\"seen\":{\"since\":\"+999999999-12-31T23:59:59Z\",\"success\":{\"count\":1,"
                + "\"latencyMs\":[1],\"counts\":[-5]}}");
    StatisticsMerge merge = new StatisticsMerge(_ -> true);
    for (String each : wrong) {
      String json =
          "{\"containers\":[{\"namespace\":\"a\",\"pod\":\"b\",\"container\":\"c\",\"probes\":"
              + "[{\"kind\":\"liveness\","
              + each
              + "}]}]}";
      merge.add("n", ViewJson.read(json.getBytes(UTF_8), StatisticsView.class));
    }
    assertThat(merge.invalid()).isEqualTo(wrong.size());
    assertThat(merge.evidence()).isEmpty();
  }

  @Test
  @DisplayName("A replay of the largest numbers that are allowed ends soon")
  void hugeRuns() {
    List<RunView> runs = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      runs.add(
          new RunView(
              i % 2 == 0 ? "timeout" : "success",
              false,
              "2026-11-21T12:00:00Z",
              "2026-11-21T12:00:00Z",
              Integer.MAX_VALUE));
    }
    ProbeStatisticsView hostile =
        new ProbeStatisticsView(
            "liveness",
            "httpGet",
            "GET",
            "spec",
            0,
            100,
            86_400_000L,
            100,
            10_000,
            10_000,
            probe(1_000, 1e12, runs).seen());
    StatisticsMerge merge = new StatisticsMerge(_ -> true);
    merge.add("n", view(container("web-a", "", hostile)));
    AdviceReport report = AdviceReport.of(merge, AdviceGoals.DEFAULT, null);
    assertThat(report.containers()).hasSize(1);
  }

  @Test
  void boundsWorkloadsAndTexts() {
    StatisticsMerge merge = new StatisticsMerge(_ -> true);
    merge.add(
        "n",
        view(
            IntStream.range(0, StatisticsMerge.MAX_SUBJECTS + 3)
                .mapToObj(i -> container("web-" + i, "", probe(1_000, 1, List.of())))
                .toArray(ContainerStatistics[]::new)));
    assertThat(merge.evidence()).hasSize(StatisticsMerge.MAX_SUBJECTS);
    assertThat(merge.left()).isEqualTo(3);

    StatisticsMerge other = new StatisticsMerge(_ -> true);
    other.add(
        "n", view(container("\u001b[2J" + "x".repeat(1_000), "", probe(1_000, 1, List.of()))));
    assertThat(other.evidence().getFirst().subject().name())
        .hasSizeLessThanOrEqualTo(254)
        .doesNotContain("\u001b");
  }

  @Test
  void keepsStoredOutcomesOfSoManyPodsOnly() {
    StatisticsMerge merge = new StatisticsMerge(_ -> true);
    for (int i = 0; i < StatisticsMerge.MAX_STORED_PODS + 5; i++) {
      merge.add("n", view(container("web-" + i, "web-7d4b", probe(1_000, 2, List.of(RUN)))));
    }
    ProbeEvidence liveness = merge.evidence().getFirst().probe(ProbeKind.LIVENESS);
    assertThat(liveness.runs()).hasSize(StatisticsMerge.MAX_STORED_PODS);
    assertThat(liveness.outcomes()).isEqualTo(2 * (StatisticsMerge.MAX_STORED_PODS + 5));
  }

  @Test
  void choosesWhatIsWanted() {
    StatisticsMerge merge = new StatisticsMerge(each -> each.pod().equals("web-b"));
    merge.add(
        "n",
        view(
            container("web-a", "", probe(1_000, 1, List.of())),
            container("web-b", "", probe(1_000, 1, List.of()))));
    assertThat(merge.evidence()).hasSize(1);
  }

  @Test
  @DisplayName("Nodes that do not answer are named, the others count")
  void someNodesDoNotAnswer() throws Exception {
    StatisticsMerge merge = new StatisticsMerge(_ -> true);
    AskedNodes answered =
        AskedNodes.ask(
            List.of("n-1", "n-2", "n-3"),
            node -> {
              if (node.equals("n-2")) {
                throw new IOException("no pod of probelet-agent runs there");
              }
              return view(container("web-" + node, "web-7d4b", probe(1_000, 2, List.of(RUN))));
            },
            merge::add);
    assertThat(answered.complete()).isFalse();
    assertThat(answered.unanswered())
        .containsExactly(new AskedNodes.Unanswered("n-2", "no pod of probelet-agent runs there"));
    assertThat(merge.evidence().getFirst().nodes()).isEqualTo(2);
    AdviceReport report = AdviceReport.of(merge, AdviceGoals.DEFAULT, answered);
    assertThat(report.isComplete()).isFalse();

    List<String> many = IntStream.range(0, 1_001).mapToObj(i -> "n-" + i).toList();
    AskedNodes bounded = AskedNodes.ask(many, _ -> view(), new StatisticsMerge(_ -> true)::add);
    assertThat(bounded.asked()).isEqualTo(1_000);
    assertThat(bounded.complete()).isFalse();
  }

  @Test
  @DisplayName("A node's agent is asked through the API server's proxy")
  void asksThroughTheProxy() throws Exception {
    try (FakeApiServer server = new FakeApiServer()) {
      server.faults().answerNext(200, "{\"items\": [{\"metadata\": {\"name\": \"a-1\"}}]}", false);
      server
          .faults()
          .answerNext(
              200, ViewJson.write(view(container("web-a", "", probe(1_000, 1, List.of())))), false);
      FleetAgent agent =
          new FleetAgent(
              ApiServer.of(server.client(), Duration.ofSeconds(10)),
              "probelet-system",
              SystemClock.INSTANCE);
      assertThat(agent.statistics("w-1").containers()).hasSize(1);
      assertThat(server.requests().getLast().path())
          .isEqualTo("/api/v1/namespaces/probelet-system/pods/a-1:20258/proxy/api/v1/statistics");
    }
  }
}
