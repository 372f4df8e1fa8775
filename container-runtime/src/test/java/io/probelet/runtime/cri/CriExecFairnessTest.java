package io.probelet.runtime.cri;

import static io.probelet.runtime.cri.CriFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.ExecResult.Displaced;
import io.probelet.probe.runtime.ExecResult.Exited;
import io.probelet.runtime.cri.v1.ExecSyncRequest;
import io.probelet.runtime.cri.v1.ExecSyncResponse;
import io.probelet.runtime.cri.v1.PodSandboxMetadata;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** W-22: one tenant's commands that hang for an hour keep nobody else's from running. */
@Timeout(120)
class CriExecFairnessTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String HANGS = "hang";

  @TempDir Path directory;
  private CriFixture node;

  @BeforeEach
  void start() {
    node = new CriFixture(directory);
    node.cri.on(
        "ExecSync",
        call -> {
          if (!ExecSyncRequest.parseFrom(call.request()).getCmd(0).equals(HANGS)) {
            call.reply(ExecSyncResponse.getDefaultInstance());
          }
        });
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void connect(Duration execHold) {
    node.connect(SystemClock.INSTANCE, CriFixture.options(LONG, LONG, 16).withExecHold(execHold));
    node.awaitContainer();
  }

  private CompletableFuture<ExecResult> hang(String namespace, int pod) {
    CompletableFuture<ExecResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        result.complete(exec(namespace, pod, HANGS, HOUR));
      } catch (Exception failed) {
        result.completeExceptionally(failed);
      }
    });
    return result;
  }

  private ExecResult exec(String namespace, int pod, String command, Duration timeout)
      throws Exception {
    PodRef owner = new PodRef(namespace, "pod-" + pod, namespace + pod);
    return node.runtime.exec(owner, "c1", List.of(command), timeout, 1024);
  }

  private CriStats.Execs stats() {
    return node.runtime.stats().execs();
  }

  @Test
  @DisplayName("20 pods that hang leave slots to another namespace, at once and without an end")
  void shares() throws Exception {
    connect(LONG);
    List<CompletableFuture<ExecResult>> hanging = new ArrayList<>();
    for (int pod = 0; pod < 20; pod++) {
      hanging.add(hang("hostile", pod));
    }
    await().until(() -> stats().running() == 12 && stats().waiting() == 8);
    for (int probe = 0; probe < 100; probe++) {
      assertThat(exec("shop", 0, "honest", LONG)).isEqualTo(new Exited(0, ""));
    }
    assertThat(hanging).noneMatch(CompletableFuture::isDone);
    assertThat(stats().displaced()).isZero();
  }

  @Test
  @DisplayName("where two namespaces hold all, one that has held its slot too long is ended for it")
  void displaced() throws Exception {
    connect(Duration.ofMillis(100));
    List<CompletableFuture<ExecResult>> hanging = new ArrayList<>();
    for (int pod = 0; pod < 8; pod++) {
      hanging.add(hang("hostile-1", pod));
      hanging.add(hang("hostile-2", pod));
    }
    await().until(() -> stats().running() == 16);
    assertThat(exec("shop", 0, "honest", LONG)).isEqualTo(new Exited(0, ""));
    Object ended =
        CompletableFuture.anyOf(hanging.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
    assertThat(ended).isInstanceOf(Displaced.class);
    assertThat(((Displaced) ended).held()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    assertThat(stats().displaced()).isEqualTo(1);
    assertThat(stats().running()).isEqualTo(15);
  }

  @Test
  @DisplayName(
      "the engine probes an honest pod beside 20 that hang: each probe succeeds, none waits")
  void honestProbes() throws Exception {
    for (int pod = 0; pod < 20; pod++) {
      list("hostile", pod);
    }
    list("shop", 0);
    try (ProbedNode probed =
        new ProbedNode(node.socket, CriFixture.options(LONG, LONG, 16).withExecHold(LONG))) {
      for (int pod = 0; pod < 20; pod++) {
        probed.probe(ref("hostile", pod), Map.of("app", exec(HANGS)));
      }
      await().until(() -> probed.runtime.stats().execs().running() == 12);
      probed.probe(ref("shop", 0), Map.of("app", exec("honest")));
      await().until(() -> probed.of("shop-0").size() >= 20);
      assertThat(probed.of("shop-0"))
          .extracting(probe -> probe.outcome().verdict())
          .containsOnly(new Success(""));
      assertThat(probed.probed)
          .extracting(ProbeListener.Probed::containerId)
          .as("nothing came of the others")
          .containsOnly("shop-0");
      assertThat(probed.restarts).isEmpty();
      assertThat(probed.runtime.stats().execs().running()).isBetween(12, 13);
    }
  }

  private static ProbeSpec exec(String command) {
    return ProbeSpec.of(new ProbeHandler.Exec(List.of(command)))
        .period(Duration.ofMillis(100))
        .timeout(HOUR)
        .build();
  }

  private static PodRef ref(String namespace, int pod) {
    return new PodRef(namespace, namespace + "-" + pod, namespace + pod + "-uid");
  }

  /** Has the runtime list a pod with a container that runs; its id is the pod's name. */
  private void list(String namespace, int pod) {
    PodRef ref = ref(namespace, pod);
    String sandbox = "sandbox-" + ref.name();
    node.cri.sandboxes.put(
        sandbox,
        Listed.sandbox(sandbox, ref.name()).toBuilder()
            .setMetadata(
                PodSandboxMetadata.newBuilder()
                    .setNamespace(namespace)
                    .setName(ref.name())
                    .setUid(ref.uid()))
            .build());
    node.cri.containers.put(ref.name(), Listed.running(ref.name(), sandbox, "app", 0));
  }
}
