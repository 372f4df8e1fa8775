package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.GeneratedObjects;
import io.probelet.kube.SmallHeap;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However many pods a namespace has on a node, a drain is done only when no pod is left. */
class DrainSizesTest {
  private static final String EVICTION = "/pods/victim/eviction";

  private RemediatorRun run;

  @BeforeEach
  void open() throws IOException {
    run = new RemediatorRun();
    run.node("worker", "unschedulable: true");
    pod("zzz", "victim", "Running");
  }

  @AfterEach
  void close() {
    run.close();
  }

  private void pod(String namespace, String name, String phase) {
    run.server.put(
        "{metadata: {namespace: %s, name: %s}, spec: {nodeName: worker}, status: {phase: %s}}"
            .formatted(namespace, name, phase));
  }

  @Test
  @DisplayName(
      "ACT-12, ACT-20: 5,050 finished pods of the first namespace do not hide another's pod")
  void finishedPods() {
    for (int i = 0; i < 5_050; i++) {
      pod("aaa", "p" + i, "Failed");
    }
    run.drain("worker", "worker", "");
    run.await(() -> {
      assertThat(run.phase("worker")).isEqualTo("Draining");
      assertThat(run.server.writesDone(EVICTION)).isNotEmpty();
    });
    assertThat(run.message("worker")).isEqualTo("1 pod is left: zzz/victim");
  }

  @Test
  @DisplayName("ACT-20: of a namespace with 1,050 pods 1,000 are read, the rest is counted as left")
  void waitingPods() {
    for (int i = 0; i < 1_050; i++) {
      pod("aaa", "p" + i, "Pending");
    }
    run.drain("worker", "worker", "");
    run.await(() ->
        assertThat(run.message("worker"))
            .startsWith("1051 pods are left: ")
            .endsWith("; 50 of them not read yet, because their namespace has more than 1000"));
    assertThat(run.phase("worker")).isEqualTo("Draining");
  }

  private void owned(String name, String uid) {
    run.server.put(
        """
        metadata:
          namespace: zzz
          name: %s
          ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agents, uid: %s, controller: true}]
        spec: {nodeName: worker}
        status: {phase: Running}
        """
            .formatted(name, uid));
  }

  @Test
  @DisplayName("ACT-12: only pods of a DaemonSet that exists, of that name and uid, stay")
  void claimedDaemonSets() {
    run.server.put(
        "{apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: zzz, name: agents, uid: real}}");
    run.server.put(
        "{apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: other, name: agents, uid: far}}");
    owned("daemon", "real");
    owned("orphan", "gone");
    owned("stranger", "far");
    run.drain("worker", "worker", "");
    run.await(() ->
        assertThat(run.message("worker"))
            .isEqualTo("3 pods are left: zzz/orphan, zzz/stranger, zzz/victim"));
  }

  @Test
  @DisplayName("ACT-12: a drain decides nothing while the DaemonSets cannot be read")
  void unreadDaemonSets() {
    owned("daemon", "real");
    run.server.faults().refuseReads("/daemonsets", 403, "x cannot list resource daemonsets");
    run.drain("worker", "worker", "");
    run.await(() -> assertThat(run.report().toString()).contains("the DaemonSets").contains("403"));
    assertThat(run.server.writesDone(EVICTION)).isEmpty();
    assertThat(run.phase("worker")).isNotEqualTo("Done");
  }

  @Test
  @DisplayName("ACT-21: with deleteEmptyDirData: false no pod is evicted, and the drain fails")
  void emptyDir() {
    run.server.put(
        """
        metadata: {namespace: zzz, name: cache}
        spec: {nodeName: worker, volumes: [{name: a, hostPath: {path: /}}, {name: b, emptyDir: {}}]}
        status: {phase: Running}
        """);
    run.drain("worker", "worker", "deleteEmptyDirData: false");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Failed"));
    assertThat(run.message("worker"))
        .isEqualTo("no pods evicted: the spec protects 1: zzz/cache (has emptyDir volumes)");
    assertThat(run.server.writesDone(EVICTION)).isEmpty();
  }

  @ParameterizedTest(name = "{0} pods of {1} args, each of a DaemonSet of its own: {2}")
  @CsvSource({"2,450000,false", "20,450000,false", "20500,1,false", "20500,1,true"})
  @DisplayName("ACT-20: the pods of a node are read in a heap of 32 MiB, however large they are")
  void largePods(int count, int args, boolean owned) throws IOException, InterruptedException {
    String rest =
        "\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"args\":[\"a\""
            + ",\"a\"".repeat(args)
            + "]}]},\"status\":{\"phase\":\"Pending\"}}";
    try (GeneratedObjects server =
        new GeneratedObjects(
            count,
            number ->
                "{\"metadata\":{\"namespace\":\"n%d\",\"name\":\"p%d\",\"uid\":\"%d\"%s},"
                        .formatted(number % 50, number, number, owned ? owner(number) : "")
                    + rest)) {
      SmallHeap.Result result = SmallHeap.run(32, DrainProcess.class, server.url());
      assertThat(result.output())
          .endsWith(
              "pods=%d more=%d\n".formatted(Math.min(count, 20_000), Math.max(0, count - 20_000)));
      assertThat(result.exit()).isZero();
      assertThat(server.queries().getFirst())
          .contains("status.phase%21%3DFailed", "status.phase%21%3DSucceeded");
    }
  }

  private static String owner(int number) {
    return (",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"DaemonSet\","
            + "\"name\":\"d%d\",\"uid\":\"00000000-0000-0000-0000-%012d\",\"controller\":true}]")
        .formatted(number, number);
  }
}
