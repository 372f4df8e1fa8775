package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.KnownPodsFixture;
import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.agent.cluster.restart.WorkloadHolds.Container;
import io.probelet.agent.cluster.restart.WorkloadReport.Passed;
import io.probelet.agent.config.WorkloadGuardSettings;
import io.probelet.health.SerialLoop;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.workload.CasStore;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.kube.workload.Workload;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of restarts of one workload, on two nodes with one API server, in virtual time. */
class WorkloadGuardTest {
  private static final Workload WEB =
      Workload.of("shop", "apps/v1", "ReplicaSet", "web", "00000000-0000-4000-8000-000000000001")
          .orElseThrow();

  private final VirtualTime time = new VirtualTime();
  private final CasStore store = new CasStore();
  private final Agent one = new Agent("node-1");
  private final Agent two = new Agent("node-2");
  private WorkloadGuardSettings settings =
      new WorkloadGuardSettings(true, 34, Duration.ofMinutes(5), Duration.ofMinutes(4));

  /** One of a node, with what it says. */
  private final class Agent {
    private final String node;
    private final KnownPods known = new KnownPods();
    private final List<String> events = new ArrayList<>();
    private final SuppressedRestarts kept =
        new SuppressedRestarts(
            time.clock(), (_, reason, message) -> events.add(reason + ": " + message));
    private final WorkloadReport report = new WorkloadReport(kept);
    private WorkloadGuard<RestartDecision> guard;
    private SerialLoop loop;

    Agent(String node) {
      this.node = node;
      begin();
    }

    /** Begins, or begins anew with nothing remembered. */
    void begin() {
      loop = time.loop(node);
      guard =
          new WorkloadGuard<>(
              () -> settings,
              new RestartEntries(store, node, time.clock()),
              known,
              report,
              time.clock(),
              Runnable::run,
              loop);
      guard.start();
    }

    CompletableFuture<Boolean> asks(String pod, String container, Workload workload) {
      CompletableFuture<Boolean> answer = new CompletableFuture<>();
      guardTask(() ->
          guard.asked(
              decision(pod, container, "id-1"),
              container(pod, container),
              "id-1",
              workload,
              answer));
      return answer;
    }

    boolean restarts(String pod) {
      return asks(pod, "web", WEB).join();
    }

    void runs(String... pods) {
      for (String pod : pods) {
        KnownPodsFixture.owned(
            known, pod, RestartPolicy.ALWAYS, "00000000-0000-4000-8000-000000000001");
      }
    }

    void well(String pod, String id) {
      guardTask(() -> guard.recovered(container(pod, "web"), id));
    }

    void guardTask(Runnable task) {
      var _ = guardLoop().offer(task);
      time.runDue();
    }

    private SerialLoop guardLoop() {
      return loop;
    }
  }

  private static PodRef ref(String pod) {
    return new PodRef("shop", pod, "uid-" + pod);
  }

  private static Container container(String pod, String name) {
    return new Container(ref(pod), name);
  }

  private static RestartDecision decision(String pod, String container, String id) {
    return new RestartDecision(
        new ProbeSubject(ref(pod), container, ProbeKind.LIVENESS),
        Targets.of(ref(pod), container, id),
        Duration.ofSeconds(30),
        new ProbeEvent("Normal", "Killing", "stopped"),
        "failed");
  }

  /** There is a counter that knows the replicas. */
  private void replicas(int count) {
    one.runs("first");
    assertThat(one.restarts("first")).isTrue();
    store.replicas(WEB, count);
    one.well("first", "id-2");
    assertThat(store.restarting(WEB)).isZero();
  }

  @Test
  @DisplayName("D-8 one more than may restart is held, said once, and goes when another is well")
  void heldAndLet() {
    replicas(5);
    one.runs("a");
    two.runs("b");
    assertThat(one.restarts("a")).isTrue();
    assertThat(two.restarts("b")).isFalse();
    time.advance(Duration.ofSeconds(2));
    int calls = store.calls;
    assertThat(two.restarts("b")).as("asked again a moment later").isFalse();
    assertThat(store.calls).isEqualTo(calls);
    assertThat(two.events)
        .containsExactly(
            "RestartHeld: Container web failed liveness probe, but is not restarted now: 1 of 5"
                + " replicas of ReplicaSet shop/web are already restarting in the cluster");
    assertThat(two.kept.count(Why.WORKLOAD)).isEqualTo(1);
    one.well("a", "id-1");
    assertThat(store.restarting(WEB)).as("well before it was stopped").isEqualTo(1);
    one.well("a", "id-2");
    assertThat(store.restarting(WEB)).isZero();
    time.advance(Duration.ofSeconds(30));
    assertThat(two.restarts("b")).isTrue();
    assertThat(two.report.count(Passed.HELD_LONG_ENOUGH)).isZero();
  }

  @Test
  @DisplayName("D-9 a pod is in once, whatever containers of it restart, and out when all are well")
  void containers() {
    replicas(5);
    one.runs("a");
    assertThat(one.restarts("a")).isTrue();
    assertThat(one.asks("a", "proxy", WEB).join()).isTrue();
    assertThat(store.restarting(WEB)).isEqualTo(1);
    one.well("a", "id-2");
    assertThat(store.restarting(WEB)).isEqualTo(1);
    one.guardTask(() -> one.guard.recovered(container("a", "proxy"), null));
    assertThat(store.restarting(WEB)).isZero();
  }

  @Test
  @DisplayName("D-9 a pod that is gone is out, also if it went before the answer came")
  void gone() {
    replicas(5);
    one.runs("a");
    assertThat(one.restarts("a")).isTrue();
    one.guardTask(() -> one.guard.removed(ref("a")));
    assertThat(store.restarting(WEB)).isZero();
    assertThat(one.restarts("unknown")).isTrue();
    assertThat(store.restarting(WEB)).isZero();
  }

  @Test
  @DisplayName("D-9 a pod that is not well within the window counts no longer")
  void window() {
    replicas(5);
    one.runs("a");
    two.runs("b");
    assertThat(one.restarts("a")).isTrue();
    time.advance(Duration.ofSeconds(235));
    assertThat(two.restarts("b")).isFalse();
    time.advance(Duration.ofSeconds(30));
    assertThat(store.restarting(WEB)).isZero();
    assertThat(two.restarts("b")).isTrue();
  }

  @Test
  @DisplayName("D-11 after the longest hold a restart is allowed and recorded, with an event")
  void longest() {
    replicas(5);
    settings = new WorkloadGuardSettings(true, 34, Duration.ofMinutes(2), Duration.ofMinutes(4));
    one.runs("a");
    two.runs("b");
    assertThat(one.restarts("a")).isTrue();
    assertThat(two.restarts("b")).isFalse();
    time.advance(Duration.ofSeconds(119));
    assertThat(two.restarts("b")).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(two.restarts("b")).isTrue();
    assertThat(store.restarting(WEB)).isEqualTo(2);
    assertThat(two.report.count(Passed.HELD_LONG_ENOUGH)).isEqualTo(1);
    assertThat(two.events.getLast())
        .isEqualTo(
            "RestartHoldOver: Container web failed liveness probe and is restarted after 120 s on"
                + " hold: 1 of 5 replicas of ReplicaSet shop/web are already"
                + " restarting in the cluster");
  }

  @Test
  @DisplayName("D-11 a container that recovers on hold starts a new hold next time")
  void recoversWhileHeld() {
    replicas(5);
    one.runs("a");
    two.runs("b");
    assertThat(one.restarts("a")).isTrue();
    assertThat(two.restarts("b")).isFalse();
    assertThat(two.guard.isWatched(container("b", "web"))).isTrue();
    two.well("b", "id-1");
    assertThat(two.guard.isWatched(container("b", "web"))).isFalse();
    time.advance(Duration.ofMinutes(3));
    assertThat(two.restarts("b")).isFalse();
    time.advance(Duration.ofSeconds(130));
    assertThat(two.report.count(Passed.HELD_LONG_ENOUGH)).isZero();
  }

  @Test
  @DisplayName("D-10 without the API restarts go on at once, asked about once in ten seconds")
  void away() {
    replicas(5);
    one.runs("a", "b");
    two.runs("c");
    assertThat(two.restarts("c")).isTrue();
    store.instead = new Unanswered("connection refused");
    store.calls = 0;
    assertThat(one.restarts("a")).isTrue();
    assertThat(one.restarts("b")).isTrue();
    assertThat(store.calls).isEqualTo(1);
    assertThat(one.report.count(Passed.API)).isEqualTo(2);
    store.instead = null;
    time.advance(Duration.ofSeconds(10));
    assertThat(one.restarts("b")).isFalse();
    assertThat(one.events).hasSize(1);
  }

  @Test
  @DisplayName("D-10 what may have been entered although there was no answer is taken out later")
  void answerLost() {
    replicas(5);
    one.runs("a");
    store.losesAnswers = true;
    assertThat(one.restarts("a")).isTrue();
    assertThat(one.report.count(Passed.API)).isEqualTo(1);
    store.losesAnswers = false;
    one.well("a", "id-2");
    assertThat(store.restarting(WEB)).as("not asked again so soon").isEqualTo(1);
    time.advance(Duration.ofSeconds(20));
    assertThat(store.restarting(WEB)).isZero();
  }

  @Test
  @DisplayName("D-10 unknown replicas are waited for once, then the guard fails open")
  void noController() {
    one.runs("a");
    two.runs("b", "c");
    assertThat(one.restarts("a")).as("one may always").isTrue();
    assertThat(two.restarts("b")).isFalse();
    assertThat(two.events.getFirst())
        .endsWith("the number of replicas of ReplicaSet shop/web is not known yet");
    time.advance(Duration.ofSeconds(10));
    assertThat(two.restarts("b")).isTrue();
    assertThat(store.restarting(WEB)).as("counted all the same").isEqualTo(2);
    assertThat(two.restarts("c")).isTrue();
    assertThat(two.report.count(Passed.REPLICAS)).isEqualTo(2);
    store.replicas(WEB, 6);
    assertThat(one.restarts("d")).as("somebody has written them").isFalse();
  }

  @Test
  @DisplayName("D-9 what an agent before this one entered is taken out when it is well, or gone")
  void restartedAgent() {
    replicas(9);
    one.runs("a");
    assertThat(one.restarts("a")).isTrue();
    assertThat(one.restarts("b-gone")).isTrue();
    one.runs("c");
    assertThat(one.restarts("c")).isTrue();
    one.begin();
    one.runs("d");
    assertThat(store.restarting(WEB)).isEqualTo(2);
    assertThat(one.restarts("d")).isTrue();
    assertThat(store.restarting(WEB)).isEqualTo(3);
    one.well("a", "any");
    assertThat(store.restarting(WEB)).isEqualTo(2);
    time.advance(Duration.ofMinutes(5));
    assertThat(store.restarting(WEB)).isZero();
  }

  @Test
  @DisplayName("D-10 a namespace has 16 workloads on a node, and leaves room for others")
  void bounds() {
    one.runs("p");
    for (int uid = 0; uid < 20; uid++) {
      Workload forged = Workload.of("shop", "apps/v1", "ReplicaSet", "web", uid(uid)).orElseThrow();
      KnownPodsFixture.owned(one.known, "p" + uid, RestartPolicy.ALWAYS, uid(uid));
      assertThat(one.asks("p" + uid, "web", forged).join()).isTrue();
    }
    assertThat(store.leases).hasSize(16);
    assertThat(one.report.count(Passed.BOUNDS)).isEqualTo(4);
    Workload other = Workload.of("other", "batch/v1", "Job", "j", uid(99)).orElseThrow();
    assertThat(one.asks("p", "web", other).join()).isTrue();
    assertThat(store.leases).hasSize(17);
  }

  @Test
  @DisplayName("D-10 on a node with a long name restarts go on")
  void longName() {
    Agent agent = new Agent("n".repeat(64));
    agent.runs("a");
    assertThat(agent.restarts("a")).isTrue();
    assertThat(store.calls).isZero();
    assertThat(agent.report.count(Passed.BOUNDS)).isEqualTo(1);
  }

  private static String uid(int number) {
    return "10000000-0000-4000-8000-%012d".formatted(number);
  }
}
