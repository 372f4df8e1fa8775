package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.KnownPodsFixture;
import io.probelet.agent.config.WorkloadGuardSettings;
import io.probelet.health.VirtualTime;
import io.probelet.kube.workload.CasStore;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.kube.workload.Workload;
import io.probelet.kube.workload.WorkloadBudget;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.runtime.ContainerObservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * D-22: which pods of a workload turn unready, on two nodes with one API server, in virtual time.
 */
class ReadinessBudgetTest {
  private static final String OWNER = "00000000-0000-4000-8000-000000000001";
  private static final Workload WEB =
      Workload.of("shop", "apps/v1", "ReplicaSet", "web", OWNER).orElseThrow();
  private static final Verdict BUSY =
      new Verdict.Failure("HTTP probe failed with statuscode: 503", Cause.STATUS);

  private final VirtualTime time = new VirtualTime();
  private final CasStore store = new CasStore();
  private final List<String> events = new ArrayList<>();
  private WorkloadGuardSettings settings =
      new WorkloadGuardSettings(true, 50, Duration.ofMinutes(2), Duration.ofMinutes(4));
  private final Agent one = new Agent("node-1");
  private final Agent two = new Agent("node-2");

  private final class Agent {
    private final KnownPods known = new KnownPods();
    private final ReadinessBudget budget;

    Agent(String node) {
      budget =
          new ReadinessBudget(
              () -> settings,
              new RestartEntries(store, node, time.clock(), WorkloadBudget.READINESS),
              known,
              (pod, reason, message) ->
                  events.add(pod.ref().name() + " " + reason + ": " + message),
              time.clock(),
              time.loop(node),
              Runnable::run);
      budget.start(new SimpleMeterRegistry());
    }

    /** Whether a pod turns unready after a failure. */
    boolean turns(String pod, Verdict verdict) {
      if (known.find(ref(pod)).isEmpty()) {
        KnownPodsFixture.owned(known, pod, RestartPolicy.ALWAYS, OWNER);
      }
      budget.probed(probed(pod, verdict));
      return asks(pod);
    }

    boolean asks(String pod) {
      CompletableFuture<Boolean> answer =
          budget.ask(known.find(ref(pod)).orElseThrow(), Set.of("web"));
      time.runDue();
      return answer.join();
    }

    void ready(String pod) {
      budget.ready(ref(pod));
      time.runDue();
    }
  }

  private static PodRef ref(String pod) {
    return new PodRef("shop", pod, "uid-" + pod);
  }

  private static Probed probed(String pod, Verdict verdict) {
    return new Probed(
        new ProbeSubject(ref(pod), "web", ProbeKind.READINESS),
        "id-1",
        new ProbeOutcome(verdict, ProbeTimings.of(0)),
        3,
        3,
        Duration.ZERO,
        Duration.ZERO);
  }

  private int unready() {
    return store.count(WEB, WorkloadBudget.READINESS);
  }

  /** Four replicas, of which two may be unready at once. */
  @BeforeEach
  void replicas() {
    assertThat(one.turns("a", BUSY)).as("one always may").isTrue();
    store.replicas(WEB, WorkloadBudget.READINESS, 4);
  }

  @Test
  @DisplayName(
      "D-22 half of the replicas turn unready, the others stay ready and that is said once")
  void share() {
    assertThat(two.turns("b", BUSY)).isTrue();
    assertThat(one.turns("c", BUSY)).isFalse();
    assertThat(two.turns("d", BUSY)).isFalse();
    time.advance(Duration.ofSeconds(30));
    assertThat(one.asks("c")).isFalse();
    assertThat(unready()).isEqualTo(2);
    String why =
        " ReadinessHeld: The pod is not ready, but its readiness gate stays True:"
            + " 2 of 4 replicas of ReplicaSet shop/web are already not ready in the cluster";
    assertThat(events).containsExactly("c" + why, "d" + why);
    assertThat(one.budget.warnings(ref("c")))
        .singleElement()
        .asString()
        .startsWith("the readiness gate stays True for now: 2 of 4 replicas");
    assertThat(one.budget.warnings(ref("a"))).isEmpty();
  }

  @Test
  @DisplayName("D-22 a pod that is ready again makes room for another")
  void room() {
    assertThat(two.turns("b", BUSY)).isTrue();
    assertThat(one.turns("c", BUSY)).isFalse();
    two.ready("b");
    assertThat(unready()).isEqualTo(1);
    time.advance(Duration.ofSeconds(5));
    assertThat(one.asks("c")).isTrue();
    assertThat(unready()).isEqualTo(2);
    assertThat(one.budget.warnings(ref("c"))).isEmpty();
  }

  @Test
  @DisplayName("D-22 a hold ends after maxHold, with an event")
  void bounded() {
    assertThat(two.turns("b", BUSY)).isTrue();
    assertThat(one.turns("c", BUSY)).isFalse();
    for (int i = 0; i < 119; i++) {
      time.advance(Duration.ofSeconds(1));
      assertThat(one.asks("c")).as("after %d s", i).isFalse();
    }
    time.advance(Duration.ofSeconds(1));
    assertThat(one.asks("c")).isTrue();
    assertThat(events.getLast()).startsWith("c ReadinessHoldOver: The pod is not ready");
    assertThat(unready()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(
      value = Cause.class,
      names = {"STATUS", "BODY", "EXPECT", "EXIT_CODE"},
      mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("D-22 a pod that does not answer turns unready at once, and does not count")
  void noAnswer(Cause cause) {
    assertThat(two.turns("b", BUSY)).isTrue();
    assertThat(one.turns("c", new Verdict.Failure("refused", cause))).isTrue();
    assertThat(unready()).isEqualTo(2);
    assertThat(events).isEmpty();
  }

  @Test
  @DisplayName(
      "D-22 a held pod that no longer answers turns unready, and is no longer said to be held")
  void diesWhileHeld() {
    assertThat(two.turns("b", BUSY)).isTrue();
    assertThat(one.turns("c", BUSY)).isFalse();
    one.budget.probed(
        probed("c", new Verdict.ProberError(Verdict.Reason.STALLED, "says nothing of it")));
    assertThat(one.asks("c")).isFalse();
    assertThat(one.turns("c", new Verdict.Failure("timed out", Cause.TIMEOUT))).isTrue();
    assertThat(one.budget.warnings(ref("c"))).isEmpty();
  }

  @Test
  @DisplayName("D-22 a container that ended has not answered, whatever it said before")
  void ended() {
    assertThat(two.turns("b", BUSY)).isTrue();
    assertThat(one.turns("c", BUSY)).isFalse();
    one.budget.containerChanged(
        null,
        new ContainerStatus(
            ref("c"),
            "web",
            ContainerObservation.terminated("id-1", VirtualTime.START, 1, 0),
            false,
            false));
    assertThat(one.asks("c")).isTrue();
  }

  @Test
  @DisplayName("D-22 fails open without the API server, and is off by default")
  void failsOpen() {
    assertThat(two.turns("b", BUSY)).isTrue();
    store.instead = CasStore.refused(503);
    assertThat(one.turns("c", BUSY)).isTrue();
    settings = WorkloadGuardSettings.READINESS;
    assertThat(one.turns("d", BUSY)).isTrue();
    assertThat(events).isEmpty();
  }

  @Test
  @DisplayName("D-22 restarts and readiness are counted apart")
  void apart() {
    RestartEntries restarts = new RestartEntries(store, "node-1", time.clock());
    assertThat(restarts.enter(WEB, "x", 34, false)).isInstanceOf(RestartEntries.Entry.In.class);
    assertThat(store.restarting(WEB)).isEqualTo(1);
    assertThat(unready()).isEqualTo(1);
  }
}
