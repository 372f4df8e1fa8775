package io.probelet.nodehealth.workloads;

import static io.probelet.nodehealth.workloads.Cluster.WAIT;
import static io.probelet.nodehealth.workloads.WorkloadPod.State.DOWN;
import static io.probelet.nodehealth.workloads.WorkloadPod.State.READY;
import static io.probelet.nodehealth.workloads.WorkloadPod.State.UNTRIED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What workloads say about nodes. */
class ComparedWorkloadsTest {
  private static final List<String> THREE = List.of("a/web", "b/api", "c/db");
  private static final List<String> OTHERS = List.of("n2", "n3", "n4");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Cluster cluster = new Cluster();

  /** Three workloads work on all of four nodes, for long enough to have been seen. */
  private Cluster healthy() {
    return cluster
        .nodes(4)
        .pods(THREE, List.of("n1"), READY)
        .pods(THREE, OTHERS, READY)
        .pass(WAIT.plus(MINUTE));
  }

  private Cluster broken() {
    return healthy().pods(THREE, List.of("n1"), DOWN).pass(WAIT);
  }

  // --- When a node is found to be the cause

  /** WE-2, WE-5. */
  @Test
  void nodeFailsOnceThreeWorkloadsHaveFailedOnlyThereForLongEnough() {
    healthy();
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
    cluster.pods(THREE, List.of("n1"), DOWN).pass(WAIT.minus(ComparedWorkloads.ROUND));
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
    cluster.step(ComparedWorkloads.ROUND);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    assertThat(cluster.message("n1"))
        .isEqualTo(
            "3 of 3 workloads fail on this node and work on others: ReplicaSet a/web,"
                + " ReplicaSet b/api, ReplicaSet c/db");
    assertThat(OTHERS).allSatisfy(node -> assertThat(cluster.of(node)).isEqualTo(Finding.WORKING));
  }

  /** WE-5. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # failing on n1       | working on n1          | finding
          a/1 b/1 c/1           |                        | FAILING
          a/1 b/1               | c/1                    | WORKING
          a/1 b/1 b/2           | c/1                    | WORKING
          a/1 b/1 a/2 b/2 a/3   |                        | WORKING
          a/1 b/1 c/1           | d/1 d/2                | FAILING
          a/1 b/1 c/1           | d/1 d/2 d/3            | WORKING
          a/1 b/1 c/1 a/2       | d/1 d/2                | FAILING
          a/1 b/1 c/1 d/1       | a/2 b/2 c/2 d/2        | WORKING
          """)
  void thresholds(String failing, String working, Finding finding) {
    cluster.nodes(4);
    List<String> bad = List.of(failing.split(" "));
    List<String> good = working == null ? List.of() : List.of(working.split(" "));
    cluster
        .pods(bad, List.of("n1", "n2", "n3", "n4"), READY)
        .pods(good, List.of("n1", "n2", "n3", "n4"), READY)
        .pass(WAIT.plus(MINUTE))
        .pods(bad, List.of("n1"), DOWN)
        .pass(WAIT.plus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(finding);
  }

  /** WE-4: a bad template or a broken dependency is not the node's fault. */
  @Test
  void workloadsThatFailElsewhereTooAreNoEvidence() {
    healthy().pods(THREE, List.of("n1", "n2", "n3"), DOWN).pass(WAIT.multipliedBy(3));
    assertThat(cluster.evidence.failing()).isEmpty();
    assertThat(cluster.evidence.held()).isZero();
    assertThat(cluster.of("n1")).isEqualTo(Finding.TOO_FEW);
  }

  /** WE-4: each template is compared with itself. */
  @Test
  void newRevisionIsNotComparedWithTheOldOne() {
    cluster.nodes(4);
    for (String each : THREE) {
      cluster.pod(each, "new", "n1", DOWN, true, "1");
      OTHERS.forEach(node -> cluster.pod(each, "old", node, READY, false, "1"));
    }
    cluster.pass(WAIT.multipliedBy(4));
    assertThat(cluster.evidence.failing()).isEmpty();
  }

  /** WE-3. */
  @Test
  void workloadWithAReadyPodOnTheNodeWorksThere() {
    broken();
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    Cluster other = new Cluster().nodes(4).pods(THREE, OTHERS, READY);
    for (String each : THREE) {
      other.pod(each, "", "n1", DOWN, true, "1").pod(each, "", "n1", READY, false, "2");
    }
    other.pass(WAIT.multipliedBy(4));
    assertThat(other.of("n1")).isEqualTo(Finding.WORKING);
  }

  /** WE-3: one of its pods has just begun to fail, so it may work again. */
  @Test
  void workloadFailsOnceAllOfItsPodsFail() {
    healthy().pods(THREE, List.of("n1"), DOWN).pass(MINUTE);
    THREE.forEach(each -> cluster.pod(each, "", "n1", READY, false, "2"));
    cluster.pass(WAIT);
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
    THREE.forEach(each -> cluster.pod(each, "", "n1", DOWN, false, "2"));
    cluster.pass(WAIT.minus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
    cluster.pass(MINUTE);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-4: a node that is known to be broken says nothing about others. */
  @Test
  void podsOfAFailingNodeDoNotSpeakForAnother() {
    cluster.nodes(20).pods(THREE, List.of("n1", "n2", "n3", "n4"), READY).pass(WAIT.plus(MINUTE));
    cluster.pods(THREE, List.of("n1"), DOWN).pass(WAIT);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    cluster.pods(THREE, List.of("n2"), DOWN).pass(WAIT);
    assertThat(cluster.of("n2")).isEqualTo(Finding.FAILING);
  }

  // --- Which pods fail

  /** WE-2: the image of a new pod may come slowly, or not at all. */
  @Test
  void podsThatWereNeverStartedAreNoEvidence() {
    cluster.nodes(4).pods(THREE, OTHERS, READY).pods(THREE, List.of("n1"), UNTRIED);
    cluster.pass(Duration.ofHours(2));
    assertThat(cluster.of("n1")).isEqualTo(Finding.TOO_FEW);
  }

  /** WE-2. */
  @Test
  void podsThatWereNeverReadyMayStartSlowly() {
    cluster.nodes(4).pods(THREE, OTHERS, READY).pods(THREE, List.of("n1"), DOWN);
    cluster.pass(WAIT.multipliedBy(3).minus(ComparedWorkloads.ROUND));
    assertThat(cluster.of("n1")).isNotEqualTo(Finding.FAILING);
    cluster.step(ComparedWorkloads.ROUND);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-2: nobody knows what the pod did before. */
  @Test
  void timeCountsFromWhenThePodIsSeenDown() {
    healthy().pods(THREE, List.of("n1"), DOWN);
    for (Duration time = Duration.ZERO;
        time.compareTo(WAIT) < 0;
        time = time.plus(ComparedWorkloads.ROUND)) {
      cluster.step(ComparedWorkloads.ROUND);
      assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
    }
    cluster.step(ComparedWorkloads.ROUND);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-2: after a restart it is not a slow start. */
  @Test
  void restartedPodsFailSooner() {
    cluster.nodes(4).pods(THREE, OTHERS, READY);
    THREE.forEach(each -> cluster.restarted(each, "n1", DOWN));
    cluster.pass(WAIT);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-2: a crash loop is Ready for moments. */
  @Test
  void crashLoopFailsAlthoughItIsReadyBetweenCrashes() {
    healthy();
    for (int i = 0; i < 10; i++) {
      cluster.pods(THREE, List.of("n1"), READY).step(ComparedWorkloads.ROUND);
      cluster.pods(THREE, List.of("n1"), DOWN).pass(MINUTE);
    }
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-2. */
  @Test
  void shortFailuresDoNotAddUp() {
    healthy();
    for (int i = 0; i < 100; i++) {
      cluster.pods(THREE, List.of("n1"), DOWN).pass(Duration.ofSeconds(20));
      cluster.pods(THREE, List.of("n1"), READY).pass(MINUTE);
      assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
    }
  }

  /** WE-4: after an outage of all nodes, each needs time to recover. */
  @Test
  void workloadsThatHaveJustRecoveredElsewhereAreNotComparedYet() {
    healthy().pods(THREE, List.of("n1", "n2", "n3", "n4"), DOWN).pass(WAIT.plus(MINUTE));
    cluster.pods(THREE, OTHERS, READY).pass(WAIT.minus(MINUTE));
    assertThat(cluster.of("n1")).isNotEqualTo(Finding.FAILING);
    cluster.pass(MINUTE.plus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-2: another pod of the same name starts from nothing. */
  @Test
  void replacedPodWaitsAnew() {
    healthy().pods(THREE, List.of("n1"), DOWN).pass(WAIT.minus(MINUTE));
    for (String each : THREE) {
      cluster.evidence.podGone(each + "--n1-1", "1");
      cluster.pod(each, "", "n1", DOWN, true, "2");
    }
    cluster.pass(WAIT.minus(MINUTE));
    assertThat(cluster.of("n1")).isNotEqualTo(Finding.FAILING);
  }

  /** WE-2: what happened while the controller was suspended is unknown. */
  @Test
  void timeInWhichTheControllerDidNotRunIsNoEvidence() {
    healthy().pods(THREE, List.of("n1"), DOWN).step(ComparedWorkloads.ROUND);
    cluster.step(Duration.ofHours(1)).step(ComparedWorkloads.ROUND);
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
  }

  // --- Who could lie

  /** WE-6: the kubelet of n2 decides alone whether these workloads work elsewhere. */
  @Test
  void oneOtherNodeIsNotEnoughToFindANodeFailing() {
    cluster
        .nodes(4)
        .pods(THREE, List.of("n1", "n2"), READY)
        .pass(WAIT.plus(MINUTE))
        .pods(THREE, List.of("n1"), DOWN)
        .pass(WAIT.multipliedBy(2));
    assertThat(cluster.evidence.failing()).isEmpty();
  }

  /** WE-6: a fault of all nodes, and a kubelet that says otherwise. */
  @Test
  void nodeThatClaimsToBeTheOnlyHealthyOneMakesNoOtherFail() {
    healthy().pods(THREE, List.of("n1", "n2", "n3"), DOWN).pass(WAIT.multipliedBy(4));
    assertThat(cluster.evidence.failing()).isEmpty();
    cluster.pods(THREE, List.of("n2"), READY).pass(WAIT.multipliedBy(4)); // n4 lies
    cluster.pods(THREE, List.of("n3"), DOWN).pass(WAIT.multipliedBy(4));
    assertThat(cluster.of("n1"))
        .as("2 of 3 others, 1 of 2 without n4")
        .isNotEqualTo(Finding.FAILING);
  }

  /** WE-6: without any single node three workloads remain. */
  @Test
  void workloadsWithTwoReplicasCountIfTheOthersAreOnDifferentNodes() {
    List<String> four = List.of("a/1", "b/1", "c/1", "d/1");
    cluster.nodes(5).pods(four, List.of("n1"), READY);
    for (int i = 0; i < four.size(); i++) {
      cluster.pod(four.get(i), "n" + (i + 2), READY);
    }
    cluster.pass(WAIT.plus(MINUTE)).pods(four, List.of("n1"), DOWN).pass(WAIT);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-5, WE-6: a kubelet that lets its own pods fail cannot take good votes from another node. */
  @Test
  void failingPodsOfAnotherNodeDoNotRaiseTheShare() {
    List<String> good = List.of("d/1", "d/2", "d/3");
    cluster
        .nodes(4)
        .pods(THREE, List.of("n1", "n2", "n3", "n4"), READY)
        .pods(good, List.of("n1", "n2"), READY)
        .pass(WAIT.plus(MINUTE))
        .pods(THREE, List.of("n1"), DOWN)
        .pods(good, List.of("n2"), DOWN)
        .pass(WAIT.multipliedBy(3));
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
  }

  // --- Which nodes are judged

  /** WE-7. */
  @Test
  void nodeThatIsNotReadyIsNotJudgedAndForgetsWhatFailed() {
    healthy().ready("n1", false).pods(THREE, List.of("n1"), DOWN).pass(WAIT.minus(MINUTE));
    assertThat(cluster.of("n1")).as("a reboot").isEqualTo(Finding.WORKING);
    cluster.pass(MINUTE.plus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.NOT_READY);
    cluster.ready("n1", true).pass(WAIT.minus(ComparedWorkloads.ROUND));
    assertThat(cluster.of("n1")).isEqualTo(Finding.NOT_READY);
    cluster.step(ComparedWorkloads.ROUND);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-7: what failed before a reboot may work after it. */
  @Test
  void rebootForgetsWhatFailedBefore() {
    healthy().pods(THREE, List.of("n1"), DOWN).pass(WAIT.minus(MINUTE));
    cluster.ready("n1", false).pass(MINUTE).ready("n1", true).pass(WAIT.minus(MINUTE));
    assertThat(cluster.of("n1")).isNotEqualTo(Finding.FAILING);
    cluster.pass(MINUTE);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-7. */
  @Test
  void nodeInMaintenanceIsNotJudgedUntilItEnds() {
    healthy().maintained("n1", Duration.ofHours(1)).pods(THREE, List.of("n1"), DOWN);
    cluster.pass(WAIT.multipliedBy(2));
    assertThat(cluster.of("n1")).isEqualTo(Finding.MAINTAINED);
    cluster.pass(Duration.ofHours(1).minus(WAIT.multipliedBy(2)).plus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.MAINTAINED);
    cluster.pass(WAIT);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  /** WE-7. */
  @Test
  void podsOfNodesThatAreNotJudgedShowNothing() {
    cluster
        .nodes(4)
        .ready("n2", false)
        .ready("n3", false)
        .pods(THREE, List.of("n1"), DOWN)
        .pods(THREE, OTHERS, READY);
    cluster.pass(WAIT.multipliedBy(4));
    assertThat(cluster.of("n1")).as("only n4 is left").isNotEqualTo(Finding.FAILING);
  }

  /** WE-7. */
  @Test
  void cordonedNodeIsNotFoundFailingButMayRecover() {
    healthy().cordoned("n1", true).pods(THREE, List.of("n1"), DOWN).pass(WAIT.multipliedBy(3));
    assertThat(cluster.of("n1")).isEqualTo(Finding.CORDONED);
    cluster.cordoned("n1", false).step(ComparedWorkloads.ROUND);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    cluster.cordoned("n1", true).pass(WAIT);
    assertThat(cluster.of("n1")).as("a remediator drains it").isEqualTo(Finding.FAILING);
    cluster.pods(THREE, List.of("n1"), READY).pass(WAIT.plus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
  }

  /** WE-7. */
  @Test
  void nodeThatIsBeingDeletedIsLeftAlone() {
    healthy().deleting("n1").pods(THREE, List.of("n1"), DOWN).pass(WAIT.multipliedBy(2));
    assertThat(cluster.evidence.node("n1")).isNull();
    assertThat(cluster.evidence.nodes()).hasSize(3);
  }

  // --- How many

  /** WE-8. */
  @ParameterizedTest
  @CsvSource({"4, 1, 1", "4, 2, 0", "19, 2, 0", "20, 2, 2", "20, 3, 0", "40, 4, 4", "40, 5, 0"})
  void moreThanATenthOfTheNodesIsHeld(int nodes, int broken, int failing) {
    cluster.nodes(nodes);
    for (int i = 1; i <= nodes; i++) {
      cluster.pods(THREE, List.of("n" + i), READY);
    }
    cluster.pass(WAIT.plus(MINUTE));
    for (int i = 1; i <= broken; i++) {
      cluster.pods(THREE, List.of("n" + i), DOWN);
    }
    cluster.pass(WAIT.multipliedBy(2).plus(MINUTE));
    assertThat(cluster.evidence.failing()).hasSize(failing);
    boolean held = failing < broken && nodes > broken * 2;
    assertThat(cluster.evidence.held()).isEqualTo(held ? broken : 0);
    if (held) {
      assertThat(cluster.of("n1")).isEqualTo(Finding.HELD);
    }
  }

  /** WE-8: the limit includes nodes that have already failed. */
  @Test
  void nextNodeIsHeldWhileOneIsFailing() {
    cluster.nodes(9);
    for (int i = 1; i <= 9; i++) {
      cluster.pods(THREE, List.of("n" + i), READY);
    }
    cluster.pass(WAIT.plus(MINUTE)).pods(THREE, List.of("n1"), DOWN).pass(WAIT);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    cluster.pods(THREE, List.of("n2"), DOWN).pass(WAIT.multipliedBy(2).plus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    assertThat(cluster.of("n2")).isEqualTo(Finding.HELD);
    assertThat(cluster.evidence.held()).isEqualTo(1);
    cluster.pods(THREE, List.of("n1"), READY).pass(WAIT.plus(MINUTE));
    assertThat(cluster.of("n2")).isEqualTo(Finding.FAILING);
  }

  // --- When it ends

  /** WE-9. */
  @Test
  void nodeRecoversOnceItsWorkloadsHaveWorkedForLongEnough() {
    broken().pods(List.of("a/web"), List.of("n1"), READY).pass(WAIT.minus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    cluster.pods(List.of("a/web"), List.of("n1"), DOWN).pass(MINUTE);
    cluster.pods(List.of("a/web"), List.of("n1"), READY).pass(WAIT.minus(ComparedWorkloads.ROUND));
    assertThat(cluster.of("n1")).as("failed in between").isEqualTo(Finding.FAILING);
    cluster.step(ComparedWorkloads.ROUND);
    assertThat(cluster.of("n1")).isNotEqualTo(Finding.FAILING);
  }

  /** WE-9: nothing is left that could be compared. */
  @Test
  void drainedNodeBecomesUnknown() {
    broken();
    for (String each : THREE) {
      cluster.evidence.podGone(each + "--n1-1", "1");
    }
    cluster.pass(WAIT.plus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.TOO_FEW);
  }

  /** WE-9: an outage of all nodes does not prove that the node works. */
  @Test
  void nodeIsNotFoundWorkingBecauseOthersFailToo() {
    broken().pods(THREE, OTHERS, DOWN).pass(WAIT.multipliedBy(3));
    assertThat(cluster.of("n1")).isEqualTo(Finding.TOO_FEW);
  }

  // --- What was not seen

  /** WE-10. */
  @Test
  void interruptedWatchesHoldAllDecisionsAndThenEveryNodeIsUnknown() {
    broken().watching(false).pods(THREE, List.of("n1"), READY).pass(WAIT.minus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    assertThat(cluster.of("n2")).isEqualTo(Finding.WORKING);
    cluster.pass(MINUTE);
    assertThat(List.of("n1", "n2", "n3", "n4"))
        .allSatisfy(node -> assertThat(cluster.of(node)).isEqualTo(Finding.UNSEEN));
    cluster.watching(true).pass(WAIT.minus(MINUTE));
    assertThat(cluster.of("n2")).isEqualTo(Finding.UNSEEN);
    cluster.pass(MINUTE.plus(MINUTE));
    assertThat(cluster.of("n2")).isEqualTo(Finding.WORKING);
  }

  /** WE-10: what happened meanwhile is unknown. */
  @Test
  void timeOfAnInterruptedWatchIsNoEvidence() {
    healthy().pods(THREE, List.of("n1"), DOWN).pass(MINUTE);
    cluster.watching(false).pass(WAIT.minus(MINUTE)).watching(true).pass(MINUTE);
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
  }

  /** WE-11: a connection that is silently lost shows old states. */
  @Test
  void nothingIsDecidedBeforeAllWatchesConfirmIt() {
    healthy().confirming(false).pods(THREE, List.of("n1"), DOWN).pass(WAIT.multipliedBy(2));
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
    cluster.confirming(true).step(ComparedWorkloads.ROUND);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    cluster.confirming(false).pods(THREE, List.of("n1"), READY).pass(WAIT.multipliedBy(2));
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
  }

  // --- The next leader

  /** WE-12. */
  @Test
  void nextLeaderKeepsTheConditionWithoutAnotherWait() {
    cluster.nodes(4).nodeWith("n1", "True", "WorkloadsFailing").pods(THREE, OTHERS, READY);
    cluster.pods(THREE, List.of("n1"), DOWN).pass(WAIT.multipliedBy(2));
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    cluster.pods(THREE, List.of("n1"), READY).pass(WAIT.plus(MINUTE));
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
  }

  /** WE-12: this leader has not seen the node work, so it must not say so. */
  @Test
  void lateWriteOfTheLastLeaderIsNotUndone() {
    cluster.nodes(4).nodeWith("n1", "False", "WorkloadsWorking").pods(THREE, OTHERS, READY);
    cluster.nodeWith("n1", "Unknown", "WorkloadsUnknown").pass(MINUTE);
    assertThat(cluster.of("n1")).isEqualTo(Finding.UNSEEN);
    cluster.pods(THREE, List.of("n1"), READY).pass(WAIT.plus(MINUTE));
    cluster.nodeWith("n1", "Unknown", "WorkloadsUnknown").pass(MINUTE);
    assertThat(cluster.of("n1")).as("restored").isEqualTo(Finding.WORKING);
  }

  /** WE-12, WE-8: otherwise one kubelet could hold back what is found about all other nodes. */
  @Test
  void conditionThatIsWrittenAgainAndAgainIsDecidedNevertheless() {
    cluster.nodes(4).pods(THREE, List.of("n1", "n2", "n3", "n4"), READY);
    for (int minute = 0; minute < 7; minute++) {
      cluster.evidence.nodeSeen(
          new WorkloadNode(
              "n1",
              "uid-n1",
              true,
              false,
              false,
              null,
              new WorkloadNode.Shown("True", "WorkloadsFailing", "said at minute " + minute)));
      cluster.pass(MINUTE);
    }
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
  }

  /** WE-12: another text is not ours. */
  @Test
  void conditionOfOthersIsReplaced() {
    cluster.nodes(4).nodeWith("n1", "True", "Because").pods(THREE, List.of("n1"), READY);
    cluster.pass(MINUTE);
    assertThat(cluster.of("n1")).isNull();
    cluster.pass(WAIT);
    assertThat(cluster.of("n1")).isEqualTo(Finding.WORKING);
  }

  /** WE-13: a node that is registered anew is another one. */
  @Test
  void nodeWithTheSameNameIsAnotherOne() {
    broken();
    cluster.evidence.nodeSeen(new WorkloadNode("n1", "another", true, false, false, null, null));
    assertThat(cluster.of("n1")).isNull();
    cluster.evidence.nodeGone(Cluster.node("n1"));
    assertThat(cluster.evidence.node("n1")).isNotNull();
  }

  // --- Sizes

  /** WE-14. */
  @Test
  void tooManyPodsAreNotJudged() {
    Cluster small = new Cluster(new ComparedWorkloads(Cluster.SETTINGS, 12)).nodes(4);
    small.pods(THREE, List.of("n1", "n2", "n3", "n4"), READY).pass(WAIT.plus(MINUTE));
    assertThat(small.evidence.pods()).isEqualTo(12);
    assertThat(small.of("n1")).isEqualTo(Finding.WORKING);
    assertThat(small.evidence.hasTooManyPods()).isFalse();
    small.pod("d/more", "n1", READY).pass(WAIT.plus(MINUTE));
    assertThat(small.evidence.hasTooManyPods()).isTrue();
    assertThat(small.evidence.pods()).isEqualTo(12);
    assertThat(small.of("n1")).isEqualTo(Finding.UNSEEN);
  }

  /** WE-14: a watch keeps pods of Jobs as well. */
  @Test
  void otherPodsCount() {
    Cluster small = new Cluster(new ComparedWorkloads(Cluster.SETTINGS, 12)).nodes(4);
    for (int i = 0; i < 12; i++) {
      small.evidence.podSeen("jobs/p" + i, "u" + i, WorkloadPod.NONE);
      small.evidence.podSeen("jobs/p" + i, "u" + i, WorkloadPod.NONE);
    }
    assertThat(small.evidence.hasTooManyPods()).isFalse();
    small.evidence.podGone("jobs/p0", "u0");
    small.evidence.podSeen("jobs/other", "other", WorkloadPod.NONE);
    assertThat(small.evidence.hasTooManyPods()).isFalse();
    small.pod("d/more", "n1", READY);
    assertThat(small.evidence.hasTooManyPods()).isTrue();
  }

  /** WE-14. */
  @Test
  void furtherNodesAreNotJudged() {
    cluster.nodes(ComparedWorkloads.MAX_NODES);
    assertThat(cluster.evidence.hasTooManyNodes()).isFalse();
    cluster.evidence.nodeSeen(Cluster.node("more"));
    assertThat(cluster.evidence.hasTooManyNodes()).isTrue();
    assertThat(cluster.evidence.node("more")).isNull();
    cluster.evidence.nodeGone(Cluster.node("n1"));
    assertThat(cluster.evidence.hasTooManyNodes()).isFalse();
  }

  /** WE-14: a longer message would differ from the written one for ever. */
  @Test
  void messageIsCut() {
    List<String> long5 =
        List.of("a", "b", "c", "d", "d").stream()
            .map(namespace -> namespace + "/" + "w".repeat(250))
            .toList();
    cluster.nodes(4);
    for (int i = 0; i < long5.size(); i++) {
      String name = long5.get(i) + i;
      cluster.pods(List.of(name), OTHERS, READY).restarted(name, "n1", DOWN);
    }
    cluster.pass(WAIT);
    assertThat(cluster.of("n1")).isEqualTo(Finding.FAILING);
    assertThat(cluster.message("n1")).hasSize(WorkloadNode.MAX_MESSAGE).endsWith("…");
  }

  /** The largest cluster: a round takes no more than a bounded number of steps for each pod. */
  @Test
  void aHundredThousandPodsAreCompared() {
    cluster.nodes(5_000);
    for (int i = 1; i <= 5_000; i++) {
      for (int w = 0; w < 20; w++) {
        cluster.pod(Cluster.NAMESPACES.get(w % 4) + "/w" + w, "n" + i, READY);
      }
    }
    cluster.step(ComparedWorkloads.ROUND);
    for (int w = 0; w < 20; w++) {
      cluster.pod(Cluster.NAMESPACES.get(w % 4) + "/w" + w, "n7", DOWN);
    }
    cluster.step(Duration.ZERO);
    for (Duration time = Duration.ZERO; time.compareTo(WAIT) < 0; time = time.plusSeconds(20)) {
      cluster.step(Duration.ofSeconds(20));
    }
    assertThat(cluster.of("n7")).isEqualTo(Finding.FAILING);
    assertThat(cluster.message("n7")).startsWith("20 of 20 ").endsWith(" and 15 more");
  }
}
