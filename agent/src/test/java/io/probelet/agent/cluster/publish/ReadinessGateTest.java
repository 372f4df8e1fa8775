package io.probelet.agent.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.GateState;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.NodePods;
import io.probelet.agent.cluster.pods.PodOwner;
import io.probelet.agent.cluster.restart.UnreadyGate;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.engine.StartupMemory;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The readiness gate between an engine that probes and an API server. */
@Timeout(240)
class ReadinessGateTest {
  private static final PodRef REF = new PodRef("shop", "p", "u");
  private static final GateState GATE = new GateState(true, null, List.of("web"));

  private final ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);
  private final ProbeLoop loop = loops.all().getFirst().probeLoop();
  private final FakeApiServer server;
  private final KubernetesClient client;
  private final ReadinessGate gate;
  private final NodePods pods;
  private volatile Verdict target = new Verdict.Success("ok");

  ReadinessGateTest() throws Exception {
    server = new FakeApiServer();
    server.put("{metadata: {name: p, namespace: shop, uid: u}}");
    client = server.client();
    KnownPods known = new KnownPods();
    gate =
        new ReadinessGate(
            ApiServer.of(client, Duration.ofSeconds(60)),
            known,
            UnreadyGate.OPEN,
            SystemClock.INSTANCE,
            new Random(1));
    ProbeEngine engine =
        new ProbeEngine(
            List.of(
                new LoopProber(
                    loop,
                    (_, _, _, done) -> done.accept(new ProbeOutcome(target, ProbeTimings.of(0))))),
            new Random(1),
            RestartGate.OPEN,
            ProbeLimits.DEFAULT,
            StartupMemory.NONE);
    engine.addListener(gate);
    pods = new NodePods(engine, known, _ -> {}, gate::known, _ -> {}, false);
  }

  @BeforeEach
  void start() {
    gate.start();
  }

  @AfterEach
  void stop() {
    gate.close();
    loops.close();
    client.close();
    server.close();
  }

  private static ClusterPod pod(Duration timeout) {
    ProbeSpec probe =
        ProbeSpec.of(new ProbeHandler.TcpSocket(new Port.Numeric(80), null))
            .period(Duration.ofSeconds(1))
            .timeout(timeout)
            .build();
    ContainerSpec web =
        new ContainerSpec(
            "web", false, null, List.of(), Map.of(), Map.of(), Map.of(ProbeKind.READINESS, probe));
    return new ClusterPod(
        "u",
        new ProbedPod(REF, RestartPolicy.ALWAYS, Duration.ofSeconds(30), List.of(web)),
        new PodObservation(
            REF,
            Phase.RUNNING,
            false,
            true,
            List.of("127.0.0.1"),
            Map.of("web", ContainerObservation.running("id", Instant.EPOCH, 0))),
        null,
        GATE,
        0,
        List.of(),
        List.of(),
        PodOwner.NONE);
  }

  private void awaitWritten(String status) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            assertThat(server.writes("/pods/p/status"))
                .last()
                .matches(write -> write.body().contains("\"status\":\"" + status + "\"")));
  }

  @Test
  @DisplayName("the gate follows the probes of a pod whose annotation was edited")
  void edited() {
    pods.changed(pod(Duration.ofSeconds(1)));
    awaitWritten("True");

    target = new Verdict.Failure("connection refused");
    CountDownLatch told = new CountDownLatch(1);
    loop.execute(() -> awaitOnLoop(told)); // so that the engine is later than the API server
    pods.changed(pod(Duration.ofSeconds(2)));
    told.countDown();
    awaitWritten("False");

    target = new Verdict.Success("ok");
    awaitWritten("True");
  }

  @Test
  @DisplayName("a write that conflicted with another writer's is made again")
  void conflict() {
    server.faults().failNextWrite(409, "the object has been modified", "");
    pods.changed(pod(Duration.ofSeconds(1)));
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(server.writesDone("/pods/p/status")).isNotEmpty());
    assertThat(server.writes("/pods/p/status")).hasSize(2);
  }

  private static void awaitOnLoop(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
