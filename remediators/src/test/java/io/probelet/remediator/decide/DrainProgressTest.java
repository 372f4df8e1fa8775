package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.DRAINING;
import static io.probelet.remediator.decide.Situations.UID;
import static io.probelet.remediator.decide.Situations.drainPod;
import static io.probelet.remediator.decide.Situations.json;
import static io.probelet.remediator.decide.Situations.node;
import static io.probelet.remediator.decide.Situations.pod;
import static io.probelet.remediator.decide.Situations.refused;
import static io.probelet.remediator.decide.Situations.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.ApiResult;
import io.probelet.remediator.decide.Action.Cordon;
import io.probelet.remediator.decide.Action.DeletePod;
import io.probelet.remediator.decide.Action.Evict;
import io.probelet.remediator.decide.DrainPod.End;
import io.probelet.remediator.decide.DrainPod.Loss;
import io.probelet.remediator.decide.DrainProgress.State;
import io.probelet.remediator.resource.DrainSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DrainProgressTest {
  private static final DrainSpec FORCED =
      new DrainSpec(Duration.ofMinutes(10), true, null, true, true, null);
  private static final ObservedNode CORDONED = node(true, UID, true);

  private static DrainProgress drain(
      DrainSpec spec, ObservedNode node, List<DrainPod> pods, Duration elapsed, Outcome... came) {
    return DrainProgress.of(
        request(DRAINING), spec, node, new DrainPods(pods, 0), List.of(came), elapsed);
  }

  private static DrainPod running(String name) {
    return drainPod(pod(name), End.NOT_ASKED);
  }

  @Test
  @DisplayName("ACT-13: nothing is evicted before the node is seen to be cordoned")
  void cordonsFirst() {
    ObservedNode free = node(false, null, true);
    DrainProgress first = drain(DrainSpec.DEFAULT, free, List.of(running("a")), Duration.ZERO);
    assertThat(first.state()).isEqualTo(State.GOING_ON);
    assertThat(first.actions()).containsExactly(new Cordon(free));
  }

  @Test
  @DisplayName("ACT-13: fails if the node is uncordoned during the drain")
  void uncordonedByAHuman() {
    DrainProgress then =
        drain(DrainSpec.DEFAULT, node(false, UID, true), List.of(running("a")), Duration.ZERO);
    assertThat(then.state()).isEqualTo(State.FAILED);
    assertThat(then.message()).isEqualTo("the node was uncordoned during the drain");
  }

  @ParameterizedTest
  @DisplayName("ACT-12: keeps DaemonSet, mirror and finished pods")
  @CsvSource(
      delimiter = ';',
      value = {
        "{'status': {'phase': 'Running'}}; false",
        "{'status': {'phase': 'Pending'}}; false",
        "{'status': {'phase': 'Succeeded'}}; true",
        "{'status': {'phase': 'Failed'}}; true",
        "{'metadata': {'annotations': {'kubernetes.io/config.mirror': 'x'}}}; true",
        "{'metadata': {'ownerReferences': [{'apiVersion': 'apps/v1', 'kind': 'ReplicaSet',"
            + " 'controller': true}]}}; false"
      })
  void leaves(String object, boolean left) {
    assertThat(DrainPod.read(json(object)).left()).isEqualTo(left);
  }

  @ParameterizedTest
  @DisplayName("ACT-12: the DaemonSet that a pod names as its controller is to be looked up")
  @CsvSource(
      delimiter = ';',
      value = {
        "{'apiVersion': 'apps/v1', 'kind': 'DaemonSet', 'name': 'd', 'uid': 'u', 'controller': true}; d",
        "{'apiVersion': 'apps/v1', 'kind': 'DaemonSet', 'name': 'd', 'uid': 'u'}; ''",
        "{'apiVersion': 'evil.io/v1', 'kind': 'DaemonSet', 'name': 'd', 'controller': true}; ''",
        "{'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'name': 'd', 'controller': true}; ''"
      })
  void namesDaemonSet(String owner, String named) {
    DrainPod pod =
        DrainPod.read(
            json("{'metadata': {'namespace': 'n', 'ownerReferences': [%s]}}".formatted(owner)));
    assertThat(pod.left()).isFalse();
    assertThat(pod.daemonSet().map(DaemonSetKey::name).orElse("")).isEqualTo(named);
  }

  @ParameterizedTest
  @DisplayName("ACT-21: what is lost with a pod")
  @CsvSource(
      delimiter = ';',
      value = {
        "{}; POD",
        "{'metadata': {'ownerReferences': [{'kind': 'ReplicaSet', 'controller': true}]}}; ''",
        "{'metadata': {'ownerReferences': [{'kind': 'ReplicaSet'}]}}; POD",
        "{'spec': {'volumes': [{'hostPath': {}}, {'emptyDir': {}}]}}; POD EMPTY_DIR",
        "{'spec': {'volumes': [{'emptyDir': null}]}}; POD"
      })
  void losses(String object, String losses) {
    assertThat(DrainPod.read(json(object)).losses().stream().sorted().map(Loss::name))
        .containsExactly(losses.isEmpty() ? new String[0] : losses.split(" "));
  }

  @ParameterizedTest
  @DisplayName(
      "ACT-21: a drain that must not lose something evicts nothing and fails with the cause")
  @CsvSource(
      delimiter = ';',
      value = {
        "true; true; ",
        "false; true; spec protects 2: web/alone (no controller recreates it), web/big (too large to be read)",
        "true; false; spec protects 2: web/big (too large to be read), web/data (has emptyDir volumes)",
        "false; false; spec protects 3: web/alone (no controller recreates it), web/big (too large to be"
            + " read), web/data (has emptyDir volumes)"
      })
  void keeps(boolean unmanaged, boolean emptyDir, String message) {
    List<DrainPod> pods =
        List.of(
            drainPod(pod("data"), End.NOT_ASKED, Loss.EMPTY_DIR),
            running("plain"),
            drainPod(pod("alone"), End.NOT_ASKED, Loss.POD),
            drainPod(pod("big"), End.NOT_ASKED, Loss.UNKNOWN),
            drainPod(pod("gone"), End.ASKED, Loss.POD, Loss.EMPTY_DIR));
    DrainSpec spec = new DrainSpec(Duration.ofMinutes(10), true, null, unmanaged, emptyDir, null);
    for (Duration elapsed : List.of(Duration.ZERO, Duration.ofMinutes(11))) {
      DrainProgress next = drain(spec, CORDONED, pods, elapsed);
      assertThat(next.state()).isEqualTo(message == null ? State.GOING_ON : State.FAILED);
      if (message != null) {
        assertThat(next.actions()).isEmpty();
        assertThat(next.message()).isEqualTo("no pods evicted: the " + message);
      }
    }
  }

  @Test
  @DisplayName("ACT-21: pods that are not read may be such that the spec keeps")
  void keepsUnread() {
    DrainProgress next =
        DrainProgress.of(
            request(DRAINING),
            new DrainSpec(Duration.ofMinutes(10), true, null, false, true, null),
            CORDONED,
            new DrainPods(List.of(running("a")), 7),
            List.of(),
            Duration.ZERO);
    assertThat(next.state()).isEqualTo(State.FAILED);
    assertThat(next.actions()).isEmpty();
    assertThat(next.message()).contains("may protect some of 7 unread pods");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "ACT-14: namespaces take turns, so that pods that never go hold up no other namespace")
  void namespacesTakeTurns(boolean late) {
    List<DrainPod> pods = new ArrayList<>();
    for (String namespace : List.of("a1", "a2", "a3")) {
      for (int i = 100; i < 600; i++) {
        pods.add(drainPod(new PodKey(namespace, "p" + i, "u" + i), End.NOT_ASKED));
      }
    }
    PodKey victim = new PodKey("zzz", "victim", "v");
    pods.add(drainPod(victim, End.NOT_ASKED));
    List<Outcome> outcomes = List.of();
    List<List<PodKey>> asked = new ArrayList<>();
    for (int step = 0; step < 3; step++) {
      DrainProgress next =
          DrainProgress.of(
              request(DRAINING),
              FORCED,
              CORDONED,
              new DrainPods(pods, 0),
              outcomes,
              late ? Duration.ofMinutes(11) : Duration.ZERO);
      asked.add(
          next.actions().stream()
              .map(action -> action instanceof DeletePod(PodKey pod) ? pod : ((Evict) action).pod())
              .toList());
      outcomes =
          next.actions().stream()
              .map(action -> new Outcome(action, new ApiResult.Refused(429, "no", null)))
              .toList();
    }
    assertThat(asked).allSatisfy(step -> assertThat(step).hasSize(10).contains(victim));
    assertThat(asked.stream().flatMap(List::stream).filter(pod -> !pod.equals(victim)))
        .as("none is asked again before the others were")
        .doesNotHaveDuplicates();
  }

  /** Attack: a pod that never goes, in each of more namespaces than are asked in a round. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("ACT-14: no pod waits for ever behind those of its namespace that never go")
  void stuckPodsOfManyNamespaces(boolean late) {
    List<DrainPod> pods = new ArrayList<>();
    Set<PodKey> free = new HashSet<>();
    for (int i = 100; i < 124; i++) {
      pods.add(drainPod(new PodKey("ns" + i, "a", "a" + i), End.NOT_ASKED));
      PodKey pod = new PodKey("ns" + i, "b", "b" + i);
      pods.add(drainPod(pod, End.NOT_ASKED));
      free.add(pod);
    }
    List<Outcome> outcomes = List.of();
    Duration elapsed = late ? Duration.ofMinutes(11) : Duration.ZERO;
    for (int step = 0; step < 100; step++) {
      elapsed = elapsed.plusMillis(500);
      DrainProgress next =
          DrainProgress.of(
              request(DRAINING), FORCED, CORDONED, new DrainPods(pods, 0), outcomes, elapsed);
      outcomes =
          next.actions().stream()
              .map(action -> new Outcome(action, new ApiResult.Refused(429, "no", null)))
              .toList();
      next.actions()
          .forEach(action ->
              free.remove(action instanceof DeletePod(PodKey pod) ? pod : ((Evict) action).pod()));
    }
    assertThat(free).isEmpty();
  }

  @Test
  @DisplayName("ACT-16: a pod that was deleted without grace is not deleted again")
  void deletedOnce() {
    DrainProgress late =
        drain(
            FORCED,
            CORDONED,
            List.of(drainPod(pod("held"), End.DELETED), drainPod(pod("next"), End.ASKED)),
            Duration.ofMinutes(11));
    assertThat(late.actions()).containsExactly(new DeletePod(pod("next")));
  }

  @Test
  void nothingInTheWay() {
    DrainPod left = new DrainPod(pod("daemon"), true, End.NOT_ASKED, Set.of(), null);
    assertThat(drain(DrainSpec.DEFAULT, CORDONED, List.of(left), Duration.ZERO).state())
        .isEqualTo(State.DRAINED);
    assertThat(drain(DrainSpec.DEFAULT, CORDONED, List.of(left), Duration.ofDays(1)).state())
        .as("and that is what counts, however late it is")
        .isEqualTo(State.DRAINED);
  }

  @Test
  @DisplayName("ACT-14: ten at a time, and none is kept waiting by those that are refused")
  void takesTurns() {
    List<DrainPod> pods = IntStream.range(10, 35).mapToObj(i -> running("p" + i)).toList();
    List<PodKey> asked = new ArrayList<>();
    List<Outcome> outcomes = List.of();
    for (int step = 0; step < 3; step++) {
      DrainProgress next =
          DrainProgress.of(
              request(DRAINING),
              DrainSpec.DEFAULT,
              CORDONED,
              new DrainPods(pods, 0),
              outcomes,
              Duration.ofSeconds(9));
      List<PodKey> now = next.actions().stream().map(action -> ((Evict) action).pod()).toList();
      assertThat(now).hasSizeLessThanOrEqualTo(DrainProgress.MAX_AT_ONCE);
      asked.addAll(now);
      outcomes = now.stream().map(Situations::refused).toList();
    }
    assertThat(asked).containsAll(pods.stream().map(DrainPod::key).toList());
  }

  @ParameterizedTest
  @DisplayName("ACT-15: what is refused is tried again after 5 s, later every 30 s")
  @CsvSource({"0, 5", "40, 5", "100, 10", "200, 20", "300, 30", "595, 5"})
  void backsOff(int elapsed, int again) {
    DrainProgress next =
        drain(
            DrainSpec.DEFAULT,
            CORDONED,
            List.of(running("a")),
            Duration.ofSeconds(elapsed),
            refused(pod("a")));
    assertThat(next.again()).isEqualTo(Duration.ofSeconds(again));
    assertThat(next.message())
        .isEqualTo("1 pod is left: web/a (the disruption budget web needs 2 healthy pods)");
    assertThat(next.actions()).containsExactly(new Evict(pod("a"), Optional.empty()));
  }

  @Test
  @DisplayName("ACT-16: fails after the timeout and names the remaining pods")
  void deadline() {
    DrainProgress late =
        drain(
            DrainSpec.DEFAULT,
            CORDONED,
            IntStream.range(0, 9).mapToObj(i -> running("p" + i)).toList(),
            Duration.ofMinutes(10));
    assertThat(late.state()).isEqualTo(State.FAILED);
    assertThat(late.actions()).isEmpty();
    assertThat(late.message())
        .isEqualTo("after 10m0s 9 pods are left: web/p0, web/p1, web/p2, web/p3, web/p4, …");
  }

  @Test
  @DisplayName("ACT-16: only if that was asked for, pods are deleted then")
  void force() {
    List<DrainPod> pods = List.of(running("a"), drainPod(pod("b"), End.ASKED));
    DrainProgress late = drain(FORCED, CORDONED, pods, Duration.ofMinutes(10));
    assertThat(late.state()).isEqualTo(State.GOING_ON);
    assertThat(late.actions()).containsExactly(new DeletePod(pod("a")), new DeletePod(pod("b")));
    assertThat(drain(FORCED, CORDONED, pods, Duration.ofSeconds(599)).actions())
        .noneMatch(DeletePod.class::isInstance);
    assertThat(drain(FORCED, CORDONED, pods, Duration.ofMinutes(12)).state())
        .as("a finalizer holds them")
        .isEqualTo(State.FAILED);
  }

  @Test
  @DisplayName("ACT-20: pods that were not read are left, whatever the others are")
  void notRead() {
    DrainProgress next =
        DrainProgress.of(
            request(DRAINING),
            DrainSpec.DEFAULT,
            CORDONED,
            new DrainPods(List.of(), 1),
            List.of(),
            Duration.ZERO);
    assertThat(next.state()).isEqualTo(State.GOING_ON);
    assertThat(next.message()).contains("1 of them not read yet");
  }

  @Test
  @DisplayName("ACT-17: pods that a dead kubelet does not end are awaited until the deadline")
  void deadKubelet() {
    DrainProgress next =
        drain(
            DrainSpec.DEFAULT,
            node(true, UID, false),
            List.of(drainPod(pod("a"), End.ASKED)),
            Duration.ofMinutes(1));
    assertThat(next.state()).isEqualTo(State.GOING_ON);
    assertThat(next.actions()).isEmpty();
    assertThat(next.message())
        .isEqualTo(
            "1 pod is left: web/a; 1 of them cannot terminate because the node is not" + " ready");
  }

  @Test
  void gracePeriod() {
    DrainSpec spec =
        new DrainSpec(Duration.ofMinutes(1), false, Duration.ofSeconds(3), true, true, null);
    assertThat(drain(spec, CORDONED, List.of(running("a")), Duration.ZERO).actions())
        .containsExactly(new Evict(pod("a"), Optional.of(Duration.ofSeconds(3))));
  }

  @Test
  @DisplayName("ACT-14: those after the one that was asked last come first, and none comes twice")
  void turns() {
    List<DrainPod> pods = List.of(running("c"), running("a"), running("b"));
    Outcome asked =
        new Outcome(new Evict(pod("b"), Optional.empty()), new ApiResult.Unanswered(""));
    Outcome other = new Outcome(new DeletePod(pod("c")), new ApiResult.Unanswered(""));
    assertThat(drain(DrainSpec.DEFAULT, CORDONED, pods, Duration.ZERO, asked, other).actions())
        .containsExactly(
            new Evict(pod("c"), Optional.empty()),
            new Evict(pod("a"), Optional.empty()),
            new Evict(pod("b"), Optional.empty()));
  }

  @ParameterizedTest
  @DisplayName("ACT-14: more than ten go on after a second, unless an eviction was refused")
  @CsvSource({"10, 0, false, 5", "11, 0, false, 1", "10, 5, false, 5", "11, 0, true, 5"})
  void goesOnSoon(int asked, int ending, boolean refusal, int again) {
    List<DrainPod> pods = new ArrayList<>();
    IntStream.range(0, asked).forEach(i -> pods.add(running("p" + i)));
    IntStream.range(0, ending).forEach(i -> pods.add(drainPod(pod("e" + i), End.ASKED)));
    Outcome[] came = refusal ? new Outcome[] {refused(pod("p0"))} : new Outcome[] {};
    assertThat(drain(DrainSpec.DEFAULT, CORDONED, pods, Duration.ZERO, came).again())
        .isEqualTo(Duration.ofSeconds(again));
  }

  @ParameterizedTest
  @DisplayName("ACT-16: more than ten are deleted in turns of ten, a second apart")
  @CsvSource({"10, 10, 5", "11, 10, 1", "2, 2, 5"})
  void forcedInTurns(int pods, int deleted, int again) {
    DrainProgress late =
        drain(
            FORCED,
            CORDONED,
            IntStream.range(0, pods).mapToObj(i -> running("p" + (30 - i))).toList(),
            Duration.ofMinutes(10));
    assertThat(late.actions()).hasSize(deleted);
    assertThat(late.actions().getFirst()).isEqualTo(new DeletePod(pod("p" + (31 - pods))));
    assertThat(late.again()).isEqualTo(Duration.ofSeconds(again));
    assertThat(late.message()).endsWith("; deleting them now without a grace period");
  }

  @Test
  @DisplayName("ACT-15: five are named, first those whose eviction was refused, and why")
  void names() {
    List<DrainPod> pods = IntStream.range(0, 5).mapToObj(i -> running("p" + i)).toList();
    Outcome done =
        new Outcome(new Evict(pod("p2"), Optional.empty()), new ApiResult.Done(json("{}")));
    Outcome unanswered =
        new Outcome(new Evict(pod("p3"), Optional.empty()), new ApiResult.Unanswered("away"));
    Outcome other =
        new Outcome(new DeletePod(pod("p4")), new ApiResult.Refused(403, "no right", null));
    assertThat(
            drain(
                    DrainSpec.DEFAULT,
                    node(true, UID, false),
                    pods,
                    Duration.ZERO,
                    done,
                    unanswered,
                    other)
                .message())
        .isEqualTo(
            "5 pods are left: web/p3 (request failed: away), web/p0, web/p1, web/p2, web/p4");
  }

  @Test
  @DisplayName("ACT-17: a node that is ready ends its pods itself")
  void readyNodeEnds() {
    assertThat(
            drain(
                    DrainSpec.DEFAULT,
                    CORDONED,
                    List.of(drainPod(pod("a"), End.ASKED)),
                    Duration.ZERO)
                .message())
        .isEqualTo("1 pod is left: web/a");
  }

  @Test
  @DisplayName("ACT-12: a pod is read with its name, and with whether its end was asked for")
  void reads() {
    assertThat(DrainPod.read(json("{'metadata': {'namespace': 'n', 'name': 'p', 'uid': 'u'}}")))
        .isEqualTo(drainPod(new PodKey("n", "p", "u"), End.NOT_ASKED, Loss.POD));
    String ending = "{'metadata': {'deletionTimestamp': 'T'%s}}";
    assertThat(DrainPod.read(json(ending.formatted(""))).end()).isEqualTo(End.ASKED);
    assertThat(DrainPod.read(json(ending.formatted(", 'deletionGracePeriodSeconds': 30"))).end())
        .isEqualTo(End.ASKED);
    assertThat(DrainPod.read(json(ending.formatted(", 'deletionGracePeriodSeconds': 0"))).end())
        .isEqualTo(End.DELETED);
  }
}
