package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Source;
import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.engine.StartupMemory;
import io.probelet.probe.engine.VirtualLoop;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the state of the node's containers comes from, on an engine whose probes never end. */
class NodePodsTest {
  private static final ClusterPod POD = pod("a");

  private final ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);
  private ProbeEngine engine;
  private NodePods pods;

  @BeforeEach
  void start() {
    engine =
        new ProbeEngine(
            List.of(new LoopProber(loops.all().getFirst().probeLoop(), (_, _, _, _) -> {})),
            new Random(1),
            RestartGate.OPEN,
            ProbeLimits.DEFAULT,
            StartupMemory.NONE);
    pods = new NodePods(engine, new KnownPods(), _ -> {}, _ -> {}, _ -> {}, false);
  }

  @AfterEach
  void stop() {
    loops.close();
  }

  @Test
  @DisplayName("D-20 a missing readiness gate is reported once, and again only if it changes")
  void missingGateOnce() {
    List<List<String>> told = new ArrayList<>();
    pods =
        new NodePods(
            engine,
            new KnownPods(),
            pod -> told.add(pod.gate().missingFor()),
            _ -> {},
            _ -> {},
            false);
    String annotation = "\"probelet.io/probes\": \"web: {%s: {tcpSocket: {port: 80}}}\"";
    String startup = ApiPods.pod("a", annotation.formatted("startup"), "");
    String readiness = ApiPods.pod("a", annotation.formatted("readiness"), "");
    pods.changed(read(startup));
    pods.changed(read(readiness));
    pods.changed(read(readiness));
    pods.changed(read(readiness.replace("web:1", "web:2")));
    assertThat(told).containsExactly(List.of(), List.of("web"));
  }

  private static ClusterPod pod(String name) {
    return read(ApiPods.running(name));
  }

  /** A pod of somebody else, whose annotation names a pod of this node. */
  private static ClusterPod claiming(String uid) {
    return read(
        ApiPods.pod(
                "hostile",
                "\"kubernetes.io/config.mirror\": \"%s\"".formatted(uid),
                "\"livenessProbe\": {\"exec\": {\"command\": [\"id\"]}}")
            .replace("\"shop\"", "\"tenant\""));
  }

  private static ClusterPod read(String json) {
    Mapping root = (Mapping) Document.json(Source.of(json)).root();
    return new ClusterPodReader(AgentConfiguration.DEFAULT.podRules()).read(root).orElseThrow();
  }

  private static PodObservation seen(String container) {
    return seen(POD.ref(), container);
  }

  private static PodObservation seen(PodRef pod, String container) {
    return new PodObservation(
        pod,
        PodObservation.Phase.RUNNING,
        false,
        false,
        List.of("127.0.0.1"),
        Map.of("web", ContainerObservation.running(container, Instant.EPOCH, 0)));
  }

  private List<String> containers() {
    return engine.snapshot().join().stream().map(each -> each.status().observation().id()).toList();
  }

  private List<String> containersByPod() {
    return engine.snapshot().join().stream()
        .map(each -> each.status().pod() + " " + each.status().observation().id())
        .toList();
  }

  @Test
  @DisplayName("a runtime that takes another's place is believed from its first word on")
  void replaced() {
    pods.changed(POD);
    assertThat(containers()).as("by the API server").containsExactly("id-a");
    pods.runtimeReplaced(true);
    pods.changed(POD);
    assertThat(containers()).as("until it says something").containsExactly("id-a");
    pods.observed(seen("one"));
    assertThat(containers()).containsExactly("one");
    pods.runtimeReplaced(true);
    pods.observed(seen("two"));
    assertThat(containers()).containsExactly("two");
    pods.runtimeReplaced(false);
    assertThat(containers()).as("by the API server again").containsExactly("id-a");
  }

  @Test
  @DisplayName("W-9 a pod that is not ready is probed when a label changes, not for its status")
  void labelChanges() {
    VirtualLoop loop = new VirtualLoop();
    AtomicInteger probes = new AtomicInteger();
    ProbeEngine failing =
        new ProbeEngine(
            List.of(
                new LoopProber(
                    loop,
                    (_, _, _, done) -> {
                      probes.incrementAndGet();
                      done.accept(new ProbeOutcome(new Verdict.Failure("no"), ProbeTimings.of(0)));
                    })),
            new Random(1),
            RestartGate.OPEN,
            ProbeLimits.DEFAULT,
            StartupMemory.NONE);
    NodePods own = new NodePods(failing, new KnownPods(), _ -> {}, _ -> {}, _ -> {}, false);
    loop.advance(Duration.ofHours(2));
    String json =
        ApiPods.pod(
            "a",
            "",
            "\"readinessProbe\": {\"tcpSocket\": {\"port\": 80}, \"periodSeconds\": 3600,"
                + " \"failureThreshold\": 1}");
    own.changed(read(json));
    loop.run();
    assertThat(probes).hasValue(1);
    String reported = json.replace("\"status\": {", "\"status\": {\"qosClass\": \"Burstable\", ");
    own.changed(read(reported));
    loop.run();
    assertThat(probes).hasValue(1);
    own.changed(
        read(reported.replace("\"annotations\"", "\"labels\": {\"a\": \"b\"}, \"annotations\"")));
    loop.run();
    assertThat(probes).hasValue(2);
  }

  @Test
  @DisplayName("what a later list has not is gone")
  void listed() {
    pods.changed(POD);
    pods.changed(pod("b"));
    pods.listed(Set.of(pod("b").ref()));
    assertThat(containers()).containsExactly("id-b");
  }

  @ParameterizedTest(name = "hostile first: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("a pod that claims another's uid is not that pod, and its end is not that pod's")
  void claimed(boolean hostileFirst) {
    ClusterPod hostile = claiming("uid-a");
    pods.runtimeReplaced(true);
    pods.changed(hostileFirst ? hostile : POD);
    pods.observed(seen("one"));
    pods.changed(hostileFirst ? POD : hostile);
    assertThat(containersByPod()).containsOnly("shop/a one", "tenant/hostile ");

    pods.removed(hostile);
    assertThat(containersByPod()).containsOnly("shop/a one");
    pods.changed(hostile);
    pods.listed(Set.of(POD.ref()));
    assertThat(containersByPod()).containsOnly("shop/a one");
    pods.changed(hostile);
    pods.gone(hostile.ref());
    pods.removed(POD);
    assertThat(containersByPod()).containsOnly("tenant/hostile ");
    pods.observed(seen("two"));
    assertThat(containersByPod()).containsOnly("tenant/hostile ");
  }

  @Test
  @DisplayName("a static pod is probed by the uid of its mirror pod, also if that is recreated")
  void mirror() {
    ClusterPod mirror = mirror("mirror-1");
    pods.runtimeReplaced(true);
    pods.changed(mirror);
    pods.observed(seen(mirror.ref(), "static"));
    assertThat(containers()).containsExactly("static");
    ClusterPod anew = mirror("mirror-2");
    pods.changed(anew);
    pods.removed(mirror); // told late
    assertThat(containers()).containsExactly("static");
    pods.removed(anew);
    assertThat(containers()).isEmpty();
    pods.changed(anew);
    assertThat(containers()).as("the runtime has it still").containsExactly("static");
  }

  private static ClusterPod mirror(String uid) {
    return read(
        ApiPods.pod("etcd", "\"kubernetes.io/config.mirror\": \"hash\"", "")
            .replace("uid-etcd", uid));
  }

  @Test
  @DisplayName("changed problems of a pod are reported again")
  void otherProblems() {
    List<String> told = new ArrayList<>();
    NodePods telling =
        new NodePods(
            engine, new KnownPods(), pod -> told.addAll(pod.problems()), _ -> {}, _ -> {}, false);
    ClusterPod fine = pod("a");
    ClusterPod asking =
        new ClusterPod(
            fine.uid(),
            fine.probed(),
            fine.reported(),
            fine.enforcement(),
            fine.gate(),
            fine.revision(),
            List.of("too much"),
            List.of(),
            PodOwner.NONE);
    telling.changed(fine);
    telling.changed(asking);
    telling.changed(asking);
    assertThat(told).containsExactly("too much");
  }
}
