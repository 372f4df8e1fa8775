package io.probelet.nodehealth.controller;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.ApiServer;
import io.probelet.nodehealth.rehearsal.Comparison;
import io.probelet.nodehealth.rehearsal.RehearsalTotals;
import io.probelet.nodehealth.rehearsal.TapeRehearsal;
import io.probelet.nodehealth.tape.TapeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of a cluster with a real controller, and that it replays. */
@Timeout(300)
class TapeRecorderTest {
  private static final String KIND = "RebootRemediation";

  @TempDir private Path folder;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private ControllerRun run;
  private RemediationCluster cluster;
  private TapeRecorder recorder;

  @BeforeEach
  void begin() throws IOException {
    run = new ControllerRun();
    cluster = run.cluster;
    run.api.serve("example.io/v1", KIND, KIND + "Template");
    cluster.template(KIND + "Template", "reboot");
    for (String node : List.of("n1", "n2", "n3")) {
      cluster.addNode(node);
    }
    cluster.check("nhc", RemediationCluster.template(KIND + "Template"));
    recorder =
        new TapeRecorder(
            ApiServer.of(run.api.client(), Duration.ofSeconds(20)),
            "test",
            lines::add,
            run.time.clock(),
            new Random(1),
            run.time.loop("recorder"));
    run.start();
    cluster.await().until(() -> lines.size() >= 5);
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
  }

  @AfterEach
  void end() {
    recorder.close();
    run.close();
  }

  @Test
  @DisplayName("TP-8 a recorded tape replays to what the controller did")
  void replays() throws Exception {
    cluster.ready("n1", "Unknown");
    cluster.pass(Duration.ofSeconds(62));
    Instant due = run.time.clock().wallTime();
    cluster.await().until(() -> cluster.remediations(KIND).size() == 1);
    cluster.await().until(() -> recorded("\"remediation\":") == 1);
    Duration most = Duration.ofSeconds(2).plus(Duration.between(due, run.time.clock().wallTime()));
    cluster.pass(Duration.ofMinutes(2));
    cluster.ready("n1", "True");
    cluster.await().until(() -> cluster.remediations(KIND).isEmpty());
    cluster.await().until(() -> recorded("\"remediationGone\":") == 1);
    CompletableFuture<Boolean> ended = recorder.end();
    run.time.runDue();
    assertThat(ended.join()).isTrue();

    Path tape = Files.write(folder.resolve("tape.jsonl"), lines);
    try (TapeReader reader = TapeReader.open(tape)) {
      Comparison comparison = TapeRehearsal.play(reader, List.of(), Duration.ofMinutes(5));
      assertThat(comparison.complete()).isTrue();
      assertThat(comparison.tape().cluster()).isEqualTo("test");
      assertThat(comparison.columns())
          .extracting(RehearsalTotals::title)
          .containsExactly("recorded", "in force");
      RehearsalTotals recorded = comparison.columns().getFirst();
      RehearsalTotals inForce = comparison.columns().getLast();
      assertThat(recorded.remediations()).isEqualTo(1);
      assertThat(inForce.remediations()).isEqualTo(1);
      assertThat(inForce.first().getFirst().node()).isEqualTo("n1");
      assertThat(
              Duration.between(inForce.first().getFirst().at(), recorded.first().getFirst().at()))
          .as("2 s, and what the API server took, which is real")
          .isBetween(most.negated(), most);
    }
  }

  /** Attack: a node's own agent makes its Node larger than a tape takes, and the tape useless. */
  @Test
  @DisplayName("TP-8 an object that exceeds the bounds of a tape is not on it")
  void leavesOutWhatNoReaderTakes() throws Exception {
    run.api.put(
        "{apiVersion: v1, kind: Node, metadata: {name: n2, uid: u-n2, labels: {%s}}}"
            .formatted(
                IntStream.range(0, 400).mapToObj(i -> "l" + i + ": x").collect(joining(", "))));
    cluster.await().until(() -> recorded("\"nodeGone\":\"n2\"") == 1);
    run.api.put(
        "{apiVersion: v1, kind: Node, metadata: {name: n4, uid: u-n4, labels: {a: b}},"
            + " status: {conditions: [{type: %s, status: 'True'}]}}".formatted("T".repeat(5_000)));
    run.api.put("{apiVersion: v1, kind: Node, metadata: {name: n5, uid: u-n5, labels: {a: b}}}");
    cluster.await().until(() -> recorded("\"n5\"") >= 1);
    CompletableFuture<Boolean> ended = recorder.end();
    run.time.runDue();
    assertThat(ended.join()).isTrue();

    assertThat(recorded("\"n4\"")).isZero();
    Path tape = Files.write(folder.resolve("tape.jsonl"), lines);
    try (TapeReader reader = TapeReader.open(tape)) {
      assertThat(TapeRehearsal.play(reader, List.of(), Duration.ofMinutes(5)).complete()).isTrue();
    }
  }

  @Test
  @DisplayName("TP-8 what changes is written once, in few words; what no plan reads is not")
  void changes() {
    int before = lines.size();
    assertThat(lines.getFirst()).startsWith("{\"tape\":1,").contains("\"source\":\"kubernetes\"");
    run.api.patch(RemediationCluster.node("n2"), "{spec: {unschedulable: true}}");
    cluster.await().until(() -> lines.size() > before);
    assertThat(lines.getLast()).contains("\"cordon\":{\"node\":\"n2\",\"cordoned\":true}");
    run.api.patch(RemediationCluster.node("n2"), "{metadata: {labels: {pool: spare}}}");
    cluster.await().until(() -> lines.size() > before + 1);
    assertThat(lines.getLast())
        .contains("\"labels\":{\"node\":\"n2\",\"set\":{\"pool\":\"spare\"}}");
    run.api.patch(RemediationCluster.node("n2"), "{metadata: {annotations: {any: thing}}}");
    run.api.delete(RemediationCluster.node("n3"));
    cluster.await().until(() -> lines.size() > before + 2);
    assertThat(lines.getLast()).contains("\"nodeGone\":\"n3\"");
    assertThat(lines).hasSize(before + 3);
  }

  @Test
  @DisplayName("MW-12, TP-8 a Maintenance is on the tape, without its status")
  void maintenance() {
    run.api.serve("probelet.io/v1alpha1", "Maintenance");
    cluster.pass(Duration.ofSeconds(16));
    String spec = "spec: {start: '2026-12-01T00:00:00Z', duration: 1h, nodeSelector: {}}";
    run.api.put(
        "{apiVersion: probelet.io/v1alpha1, kind: Maintenance, metadata: {name: m}, %s, status: {nodes: 3}}"
            .formatted(spec));
    cluster.await().until(() -> recorded("\"maintenance\":") == 1);
    assertThat(lines.getLast()).contains("\"duration\":\"1h\"").doesNotContain("status");
    run.api.delete("/apis/probelet.io/v1alpha1/maintenances/m");
    cluster.await().until(() -> recorded("\"maintenanceGone\":\"m\"") == 1);
  }

  private long recorded(String field) {
    return lines.stream().filter(line -> line.contains(field)).count();
  }
}
