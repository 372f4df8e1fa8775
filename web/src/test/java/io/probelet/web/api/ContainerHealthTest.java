package io.probelet.web.api;

import static io.probelet.web.Snapshots.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.engine.ProbeSnapshot.Outcome;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.Snapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How bad a container is, and the order of lists. */
class ContainerHealthTest {
  @ParameterizedTest
  @CsvSource({
    "Running,          true,  true,  SUCCESS, SUCCESSFUL, HEALTHY,    ready",
    "Running,          true,  true,  SUCCESS, WARNING,    WARNING,    'ready, with a warning'",
    "Running,          true,  true,  SUCCESS, FAILED,     WARNING,    'ready, but a probe fails'",
    "Running,          true,  true,  SUCCESS, ERROR,      UNKNOWN,    'ready, but a probe could not run'",
    "Running,          true,  true,  FAILURE, FAILED,     UNHEALTHY,  'ready, but a probe has failed'",
    "Running,          true,  false, FAILURE, FAILED,     UNHEALTHY,  not ready",
    "Running,          false, false, SUCCESS, FAILED,     UNKNOWN,    starting",
    "ContainerCreating, false, false, SUCCESS, FAILED,    UNKNOWN,    waiting to be started",
    "CrashLoopBackOff, false, false, SUCCESS, FAILED,     UNHEALTHY,  not running",
    "ImagePullBackOff, false, false, SUCCESS, FAILED,     UNHEALTHY,  not running",
  })
  void tellsHowBadAContainerIs(
      String state,
      boolean started,
      boolean ready,
      ProbeResult result,
      Outcome outcome,
      Severity severity,
      String words) {
    ContainerSnapshot container =
        Snapshots.container(
            "n",
            "p",
            "c",
            state.equals("Running")
                ? ContainerObservation.running("id", NOON, 0)
                : ContainerObservation.waiting("id", 0, state),
            started,
            ready,
            new ProbeSnapshot(
                ProbeKind.READINESS,
                Snapshots.spec("exec"),
                result,
                result,
                1,
                NOON,
                Duration.ofMillis(1),
                "ok",
                ProbeSnapshot.Obstacle.NONE,
                NOON.plusSeconds(10),
                List.of(Snapshots.entry(NOON, outcome, "ok")),
                null,
                null,
                null));
    assertThat(ContainerHealth.of(ContainerView.of(container, 1)))
        .isEqualTo(new ContainerHealth(severity, words));
  }

  @Test
  void anInitContainerIsHealthyOnceItHasSucceeded() {
    assertThat(init(ContainerObservation.running("id", NOON, 0)))
        .isEqualTo(new ContainerHealth(Severity.UNKNOWN, "initializing"));
    assertThat(init(ContainerObservation.terminated("id", NOON, 0, 0)))
        .isEqualTo(new ContainerHealth(Severity.HEALTHY, "completed"));
    assertThat(init(ContainerObservation.terminated("id", NOON, 1, 0)))
        .isEqualTo(new ContainerHealth(Severity.UNHEALTHY, "not running"));
  }

  private static ContainerHealth init(ContainerObservation seen) {
    ContainerStatus status =
        new ContainerStatus(
            new PodRef("n", "p", "u"), "c", ContainerRole.INIT, seen, seen.running(), false);
    return ContainerHealth.of(
        ContainerView.of(
            new ContainerSnapshot(status, true, List.of(), Snapshots.target(status)), 1));
  }

  @Test
  void listsTheWorstFirstWhateverOrderTheyComeIn() {
    List<ContainerView> sorted =
        List.of(
            waiting("b", "x", "CrashLoopBackOff"),
            waiting("c", "x", "ImagePullBackOff"),
            waiting("a", "y", "ContainerCreating"),
            ContainerView.of(Snapshots.running("a", "x", "c"), 1),
            ContainerView.of(Snapshots.running("a", "z", "c"), 1),
            ContainerView.of(Snapshots.running("b", "a", "c"), 1));
    List<ContainerView> shuffled = new ArrayList<>(sorted);
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(ContainerHealth.worstFirst(shuffled)).isEqualTo(sorted);
    }
  }

  @Test
  void containersThatDoNotRunComeBeforeThoseThatAreNotReady() {
    ContainerView notReady =
        ContainerView.of(
            Snapshots.container(
                "a", "x", "c", ContainerObservation.running("id", NOON, 0), true, false),
            1);
    ContainerView crashing = waiting("b", "x", "CrashLoopBackOff");
    assertThat(ContainerHealth.of(notReady).severity()).isEqualTo(Severity.UNHEALTHY);
    assertThat(ContainerHealth.worstFirst(List.of(notReady, crashing)))
        .containsExactly(crashing, notReady);
  }

  @Test
  void keepsTheManifestsOrderWithinAPod() {
    List<ContainerView> pod =
        List.of(
            ContainerView.of(Snapshots.running("n", "p", "z"), 1),
            ContainerView.of(Snapshots.running("n", "p", "a"), 1));
    assertThat(ContainerHealth.worstFirst(pod)).isEqualTo(pod);
  }

  @Test
  void tellsWhatIsLeftOut() {
    ContainerView good = ContainerView.of(Snapshots.running("a", "x", "c"), 1);
    ContainerView bad = waiting("b", "x", "CrashLoopBackOff");
    assertThat(ContainerHealth.more(List.of())).isEmpty();
    assertThat(ContainerHealth.more(List.of(good))).isEqualTo("and 1 more, healthy");
    assertThat(ContainerHealth.more(List.of(good, good))).isEqualTo("and 2 more, all healthy");
    assertThat(ContainerHealth.more(List.of(good, bad, good, bad, bad)))
        .isEqualTo("and 5 more: 3 unhealthy, 2 healthy");
  }

  private static ContainerView waiting(String namespace, String pod, String reason) {
    return ContainerView.of(
        Snapshots.container(
            namespace, pod, "c", ContainerObservation.waiting("id", 0, reason), false, false),
        1);
  }
}
