package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.manifest.pod.ProbeOrigin;
import io.probelet.agent.manifest.tree.Document;
import io.probelet.agent.manifest.tree.Node.Mapping;
import io.probelet.agent.manifest.tree.Source;
import io.probelet.health.SystemClock;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
            new Random(1));
    pods = new NodePods(engine, new KnownPods(), _ -> {}, _ -> {}, false);
  }

  @AfterEach
  void stop() {
    loops.close();
  }

  private static ClusterPod pod(String name) {
    Mapping root = (Mapping) Document.json(Source.of(ApiPods.running(name))).root();
    return new ClusterPodReader(EnumSet.allOf(ProbeOrigin.class)).read(root).orElseThrow();
  }

  private static PodObservation seen(String container) {
    return new PodObservation(
        POD.ref(),
        PodObservation.Phase.RUNNING,
        false,
        false,
        List.of("127.0.0.1"),
        Map.of("web", ContainerObservation.running(container, Instant.EPOCH, 0)));
  }

  private List<String> containers() {
    return engine.snapshot().join().stream().map(each -> each.status().observation().id()).toList();
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
  @DisplayName("what a later list has not is gone")
  void listed() {
    pods.changed(POD);
    pods.changed(pod("b"));
    pods.listed(Set.of("uid-b"));
    assertThat(containers()).containsExactly("id-b");
  }
}
