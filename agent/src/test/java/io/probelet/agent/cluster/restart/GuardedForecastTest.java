package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.KnownPodsFixture;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.ConfigurationReading;
import io.probelet.agent.config.RestartSettings.Removal;
import io.probelet.agent.config.WorkloadGuardSettings;
import io.probelet.health.ManualClock;
import io.probelet.kube.workload.CasStore;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.kube.workload.Workload;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.web.Snapshots;
import io.probelet.web.explain.FailureEffect;
import io.probelet.web.explain.RestartForecast.Consequence;
import io.probelet.web.explain.RestartForecast.Held;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is said of a restart before it is asked for is what the gates answer then. */
class GuardedForecastTest {
  private static final Workload WEB =
      Workload.of("shop", "apps/v1", "ReplicaSet", "web", "00000000-0000-4000-8000-000000000001")
          .orElseThrow();

  private final ManualClock clock = new ManualClock(Snapshots.NOON);
  private final KnownPods pods = new KnownPods();
  private final SuppressedRestarts kept = new SuppressedRestarts(clock, (_, _, _) -> {});
  private final EvictionBackOff backOff = new EvictionBackOff();
  private final CasStore store = new CasStore();
  private AgentConfiguration configuration = AgentConfiguration.DEFAULT;
  private boolean runtime = true;
  private Removal removal = Removal.EVICT;
  private WorkloadGuardSettings settings = WorkloadGuardSettings.DEFAULT;

  private final NodeGate node =
      new NodeGate(
          () -> configuration.podRules(),
          () -> configuration.restarts().guard(),
          pods,
          kept,
          new Pressure(Path.of("/no/such/folder")),
          clock);
  private final JobCompletionGate successes = new JobCompletionGate(pods, kept);
  private final EvictionGate evictions =
      new EvictionGate(() -> !runtime, () -> removal, pods, backOff, kept, clock);
  private final WorkloadGate workloads =
      new WorkloadGate(
          () -> settings, new RestartEntries(store, "node-1", clock), pods, kept, clock);
  private final RestartGate gates = node.and(successes).and(evictions).and(workloads);
  private final GuardedForecast forecast =
      new GuardedForecast(node, successes, evictions, workloads, kept, clock);

  @BeforeEach
  void pods() {
    KnownPodsFixture.owned(
        pods, "web", RestartPolicy.ALWAYS, "00000000-0000-4000-8000-000000000001");
  }

  @AfterEach
  void close() {
    workloads.close();
  }

  private Consequence liveness(String pod) {
    return forecast.of(container(pod), ProbeKind.LIVENESS);
  }

  private static ContainerSnapshot container(String pod) {
    return Snapshots.running("shop", pod, "web");
  }

  private boolean restarts(String pod) {
    PodRef ref = new PodRef("shop", pod, "uid-" + pod);
    return gates
        .ask(
            new RestartDecision(
                new ProbeSubject(ref, "web", ProbeKind.LIVENESS),
                Targets.of(ref, "web", "proc://web"),
                Duration.ofSeconds(30),
                new ProbeEvent("Normal", "Killing", "stopped"),
                "failed"))
        .join();
  }

  @Test
  @DisplayName("where nothing holds it a container is restarted, or its pod is taken away")
  void effects() {
    assertThat(liveness("web")).isEqualTo(Consequence.of(FailureEffect.RESTART));
    runtime = false;
    assertThat(liveness("web")).isEqualTo(Consequence.of(FailureEffect.EVICT));
    removal = Removal.DELETE;
    assertThat(liveness("web")).isEqualTo(Consequence.of(FailureEffect.DELETE));
  }

  @Test
  @DisplayName("what is observed, or must not end as a success, is kept; and when it was")
  void kept() {
    KnownPodsFixture.owned(pods, "job", RestartPolicy.ON_FAILURE, "job");
    assertThat(liveness("job")).isEqualTo(Consequence.of(FailureEffect.REFUSE));
    assertThat(restarts("job")).isFalse();
    assertThat(liveness("job").kept()).isEqualTo(Snapshots.NOON);
    assertThat(forecast.of(container("job"), ProbeKind.STARTUP).kept()).isNull();
    configuration = ConfigurationReading.of("enforcement: {mode: observe}\n");
    assertThat(liveness("job").effect()).isEqualTo(FailureEffect.OBSERVE);
  }

  @Test
  @DisplayName(
      "the guard of the node holds with its reason, until its time is over, and is not begun by asking")
  void massFailure() {
    for (int i = 0; i < 6; i++) {
      ProbeSubject subject =
          new ProbeSubject(new PodRef("shop", "p" + i, "u" + i), "web", ProbeKind.LIVENESS);
      node.probed(
          new Probed(
              subject,
              "id",
              new ProbeOutcome(new Verdict.Failure("no"), ProbeTimings.of(1)),
              3,
              3,
              Duration.ZERO,
              Duration.ZERO));
    }
    String why = "6 of 6 containers of namespace shop turned unhealthy within 60 s";
    assertThat(liveness("web").held()).contains(new Held(why, null));
    clock.advance(Duration.ofSeconds(1));
    assertThat(liveness("web").held()).contains(new Held(why, null));
    assertThat(restarts("web")).isFalse();
    clock.advance(Duration.ofSeconds(5));
    Duration hold = configuration.restarts().guard().hold();
    assertThat(liveness("web").held())
        .contains(new Held(why, Snapshots.NOON.plusSeconds(1).plus(hold)));
    assertThat(liveness("web").kept()).isEqualTo(Snapshots.NOON.plusSeconds(1));
    clock.advance(hold);
    assertThat(liveness("web").held()).isEmpty();
    assertThat(restarts("web")).isTrue();
  }

  @Test
  @DisplayName(
      "without a runtime the pods of one owner wait for each other, and asking counts for nothing")
  void backOff() {
    runtime = false;
    backOff.known(known("web"), clock.nanoTime());
    assertThat(liveness("web").held()).isEmpty();
    assertThat(restarts("web")).isTrue();
    KnownPodsFixture.owned(
        pods, "next", RestartPolicy.ALWAYS, "00000000-0000-4000-8000-000000000001");
    backOff.known(known("next"), clock.nanoTime());
    String why = "another pod of the same owner was removed recently";
    assertThat(liveness("next").held()).contains(new Held(why + ", this one waits 10 s", null));
    assertThat(restarts("next")).isFalse();
    clock.advance(Duration.ofSeconds(4));
    assertThat(liveness("next").held()).contains(new Held(why, Snapshots.NOON.plusSeconds(10)));
    clock.advance(Duration.ofSeconds(6));
    assertThat(liveness("next").held()).isEmpty();
    assertThat(restarts("next")).isTrue();
  }

  private ClusterPod known(String pod) {
    return pods.find(new PodRef("shop", pod, "uid-" + pod)).orElseThrow();
  }

  @Test
  @DisplayName(
      "the guard of workloads may hold what it was not asked about, and says how long it holds")
  void workloads() {
    settings = new WorkloadGuardSettings(true, 34, Duration.ofMinutes(5), Duration.ofMinutes(4));
    assertThat(liveness("web").unless())
        .isEqualTo(", unless too many replicas of its workload are restarting");
    assertThat(forecast.of(container("web"), ProbeKind.STARTUP))
        .isEqualTo(Consequence.of(FailureEffect.RESTART));
    KnownPodsFixture.owned(
        pods, "other", RestartPolicy.ALWAYS, "00000000-0000-4000-8000-000000000001");
    assertThat(restarts("web")).as("one always may").isTrue();
    store.replicas(WEB, 2);
    assertThat(restarts("other")).isFalse();
    assertThat(liveness("other").held().orElseThrow().until())
        .isEqualTo(clock.wallTime().plus(Duration.ofMinutes(5)));
    clock.advance(Duration.ofMinutes(5));
    assertThat(liveness("other").held()).isEmpty();
  }
}
