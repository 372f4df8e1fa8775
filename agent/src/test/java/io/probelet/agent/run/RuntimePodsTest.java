package io.probelet.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.agent.run.FakeRuntime.Run;
import io.probelet.agent.run.FakeRuntime.Stop;
import io.probelet.manifest.ManifestChange;
import io.probelet.manifest.ManifestChange.Replacement;
import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.service.ProbeService;
import io.probelet.runtime.cri.CriStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which pods of a runtime are probed by which manifest, on a real engine. */
class RuntimePodsTest {
  private static final PodRef WEB = new PodRef("shop", "web", "uid-1");
  private static final List<String> OLD = List.of("old");
  private static final List<String> NEW = List.of("new");

  @TempDir Path folder;
  private final FakeRuntime runtime = new FakeRuntime();
  private ProbeService service;
  private RuntimePods pods;
  private volatile CriStats stats;

  @BeforeEach
  void start() {
    service = ProbeService.builder().runtime(runtime).start();
    pods = new RuntimePods(service.engine(), runtime, () -> stats);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  /** The manifest of shop/web, probed with a command ten times a second. */
  private PodSource manifest(List<String> command) throws IOException {
    String yaml =
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: web
          namespace: shop
          annotations:
            probelet.io/probes: "app: {liveness: {period: 100ms, timeout: 1m}}"
        spec:
          containers:
            - name: app
              livenessProbe:
                exec: {command: %s}
                failureThreshold: 2
                terminationGracePeriodSeconds: 7
        """
            .formatted(command);
    Files.writeString(folder.resolve("web.yaml"), yaml);
    Manifests read = ManifestReader.read(List.of(folder), Mode.PROBES_ONLY);
    assertThat(read.hasErrors()).isFalse();
    return read.pods().getFirst();
  }

  private void untilRun(String containerId, List<String> command) {
    patiently().until(() -> runtime.runs.contains(new Run(containerId, command)));
  }

  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(1));
  }

  private List<ContainerSnapshot> probed() {
    return service.engine().snapshot().join();
  }

  private static ManifestChange change(
      List<PodSource> added, List<Replacement> replaced, List<PodSource> removed) {
    return new ManifestChange(added, replaced, removed, List.of(), List.of(), List.of());
  }

  @Test
  @DisplayName("a pod that appears is probed by the manifest of its name, under its own uid")
  void manifestFirst() throws Exception {
    pods.add(List.of(manifest(OLD)));
    assertThat(probed()).isEmpty();
    runtime.runs(WEB, "c1");

    untilRun("c1", OLD);
    assertThat(probed())
        .singleElement()
        .satisfies(each -> assertThat(each.status().pod()).isEqualTo(WEB));
  }

  @Test
  @DisplayName("a manifest that comes later finds the pod that is there already")
  void podFirst() throws Exception {
    runtime.runs(WEB, "c1");
    pods.change(change(List.of(manifest(OLD)), List.of(), List.of()));

    untilRun("c1", OLD);
  }

  @Test
  @DisplayName("pods of another name or namespace are left alone")
  void strangers() throws Exception {
    pods.add(List.of(manifest(OLD)));
    runtime.runs(new PodRef("shop", "web-2", "uid-2"), "c2");
    runtime.runs(new PodRef("default", "web", "uid-3"), "c3");
    runtime.runs(WEB, "c1");

    untilRun("c1", OLD);
    assertThat(probed()).hasSize(1);
    assertThat(runtime.runs).extracting(Run::containerId).containsOnly("c1");
  }

  @Test
  @DisplayName("with a manifest goes the probing, not the container")
  void manifestRemoved() throws Exception {
    PodSource manifest = manifest(OLD);
    pods.add(List.of(manifest));
    runtime.runs(WEB, "c1");
    untilRun("c1", OLD);

    pods.change(change(List.of(), List.of(), List.of(manifest)));
    assertThat(probed()).isEmpty();
    runtime.runs(WEB, "c2");
    assertThat(probed()).isEmpty();
    assertThat(runtime.stops).isEmpty();
  }

  @Test
  @DisplayName("a changed manifest restarts the probes of the same pod")
  void manifestReplaced() throws Exception {
    PodSource before = manifest(OLD);
    pods.add(List.of(before));
    runtime.runs(WEB, "c1");
    untilRun("c1", OLD);

    pods.change(change(List.of(), List.of(new Replacement(before, manifest(NEW))), List.of()));
    untilRun("c1", NEW);
    runtime.runs.clear();
    patiently()
        .until(() -> runtime.runs.stream().filter(run -> run.command().equals(NEW)).count() > 3);
    assertThat(runtime.runs)
        .as("but for one that was on its way")
        .filteredOn(run -> run.command().equals(OLD))
        .hasSizeLessThan(2);
    assertThat(runtime.stops).isEmpty();
  }

  @Test
  @DisplayName("a removed pod is not probed, its successor of the same name is")
  void successor() throws Exception {
    pods.add(List.of(manifest(OLD)));
    runtime.runs(WEB, "c1");
    untilRun("c1", OLD);

    runtime.gone(WEB);
    assertThat(probed()).isEmpty();
    PodRef next = new PodRef(WEB.namespace(), WEB.name(), "uid-next");
    runtime.runs(next, "c2");
    untilRun("c2", OLD);
    assertThat(probed()).extracting(each -> each.status().pod()).containsExactly(next);
  }

  @Test
  @DisplayName(
      "D-1, C-22: a failing container is stopped once with its grace, the next is followed")
  void restart() throws Exception {
    pods.add(List.of(manifest(OLD)));
    runtime.breaks("c1");
    runtime.runs(WEB, "c1");
    patiently().until(() -> !runtime.stops.isEmpty());

    runtime.runs(WEB, "c2");
    untilRun("c2", OLD);
    assertThat(runtime.stops).containsExactly(new Stop("c1", Duration.ofSeconds(7)));
  }

  @Test
  @DisplayName("what is wrong with the runtime is what the agent is not ready for")
  void problem() {
    stats = stats(true, "");
    assertThat(pods.problem()).isEmpty();
    stats = stats(false, "connect to /run/c.sock: connection refused");
    assertThat(pods.problem()).isEqualTo(Optional.of("connect to /run/c.sock: connection refused"));
  }

  private static CriStats stats(boolean connected, String problem) {
    CriStats.Execs execs = new CriStats.Execs(16, 0, 0, 0, Duration.ZERO, 0);
    return new CriStats(connected, problem, "", 0, 0, Duration.ZERO, execs);
  }

  @Test
  @DisplayName("at the end the runtime is let go of and its containers run on")
  void closing() throws Exception {
    pods.add(List.of(manifest(OLD)));
    runtime.runs(WEB, "c1");
    untilRun("c1", OLD);

    pods.close();
    assertThat(runtime.closed()).isTrue();
    assertThat(runtime.stops).isEmpty();
  }
}
