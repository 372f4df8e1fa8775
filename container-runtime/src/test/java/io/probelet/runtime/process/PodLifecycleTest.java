package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.container;
import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.runtime.Termination;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodLifecycleTest {

  @Nested
  class Starting {
    @Test
    @DisplayName("regular containers start together; the pod is pending until all of them have")
    void together() {
      PodPlay play = PodPlay.of(pod().with(container("web"), container("log"))).add();
      assertThat(play.happened()).containsExactly("0s start web#0", "0s start log#0");
      assertThat(play.looks("web"))
          .containsExactly(
              "WAITING code=0 restarts=0 ContainerCreating", "RUNNING web#0 code=0 restarts=0");
      assertThat(play.phase()).isEqualTo(Phase.RUNNING);
      assertThat(play.seen().ips()).containsExactly("127.0.0.1");
      assertThat(play.seen("log").startedAt()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    @DisplayName("D-5 init containers run one by one, each to exit 0, then the others start")
    void initInOrder() {
      PodPlay play =
          PodPlay.of(pod().init(container("one"), container("two")).with(container("web"))).add();
      assertThat(play.happened()).containsExactly("0s start one#0");
      assertThat(play.seen("web").reason()).isEqualTo("PodInitializing");
      assertThat(play.exit("one#0", 0).happened()).containsExactly("0s start two#0");
      assertThat(play.phase()).isEqualTo(Phase.PENDING);
      assertThat(play.exit("two#0", 0).happened()).containsExactly("0s start web#0");
      assertThat(play.phase()).isEqualTo(Phase.RUNNING);
      assertThat(play.looks("one"))
          .endsWith("TERMINATED one#0 code=0 restarts=0 Completed")
          .hasSize(3);
    }

    @Test
    @DisplayName("D-5 a failed init container is tried again, with back-off")
    void initTriedAgain() {
      PodPlay play = PodPlay.of(pod().init(container("init")).with(container("web"))).add();
      play.exit("init#0", 1).exit("init#1", 1);
      assertThat(play.happened()).containsExactly("0s start init#0", "0s start init#1");
      assertThat(play.seen("init").reason()).isEqualTo("CrashLoopBackOff");
      assertThat(play.phase()).isEqualTo(Phase.PENDING);
      assertThat(play.pass(ofSeconds(10)).happened()).containsExactly("10s start init#2");
      assertThat(play.exit("init#2", 0).happened()).containsExactly("10s start web#0");
    }

    @Test
    void keepsHowTheLastInstanceEnded() {
      PodPlay play = PodPlay.of(pod().init(container("init")).with(container("web"))).add();
      play.exit("init#0", 139);
      assertThat(play.seen("init").running()).isTrue();
      Termination last = play.seen("init").details().lastTermination();
      assertThat(last).isEqualTo(new Termination(139, 11, "Error", "", play.wall()));
      Instant second = play.pass(ofSeconds(1)).wall();
      play.exit("init#1", 3);
      assertThat(play.seen("init").reason()).isEqualTo("CrashLoopBackOff");
      assertThat(play.seen("init").details().lastTermination())
          .isEqualTo(new Termination(3, 0, "Error", "", second));
    }

    @Test
    void tellsAnEndAtTheMemoryLimit() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add();
      play.on(new PodEvent.Exited("web#0", 137, true)).on(new PodEvent.Exited("web#1", 137, true));
      assertThat(play.seen("web").details().lastTermination())
          .isEqualTo(new Termination(137, 9, "OOMKilled", "", play.wall()));
    }

    @Test
    void tellsWhyAContainerCannotBeStarted() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).refusing("web").add();
      assertThat(play.seen("web").details().message()).isEqualTo("command x does not exist");
      assertThat(play.seen("web").details().lastTermination())
          .isEqualTo(
              new Termination(
                  127, 0, "ContainerCannotRun", "command x does not exist", play.wall()));
    }

    @Test
    @DisplayName("D-5 with policy Never a failed init container fails the pod")
    void initFailsPod() {
      PodPlay play =
          PodPlay.of(
                  pod()
                      .policy(RestartPolicy.NEVER)
                      .init(container("side").sidecar(), container("init"))
                      .with(container("web")))
              .add();
      assertThat(play.exit("init#0", 3).happened())
          .containsExactly("0s start side#0", "0s start init#0", "0s term side#0");
      assertThat(play.phase()).isEqualTo(Phase.PENDING);
      play.exit("side#0", 143);
      assertThat(play.phase()).isEqualTo(Phase.FAILED);
      assertThat(play.seen("web").state()).isEqualTo(State.WAITING);
      assertThat(play.pass(ofMinutes(10)).happened()).isEmpty();
    }

    @Test
    @DisplayName("D-5 what follows a sidecar waits until that has started up")
    void sidecarGates() {
      PodPlay play =
          PodPlay.of(
                  pod()
                      .init(
                          container("slow").sidecar().startupProbe(),
                          container("quick").sidecar(),
                          container("init"))
                      .with(container("web").startupProbe()))
              .add();
      assertThat(play.happened()).containsExactly("0s start slow#0");
      assertThat(play.startedUp("slow#0").happened())
          .containsExactly("0s start quick#0", "0s start init#0");
      assertThat(play.exit("init#0", 0).happened()).containsExactly("0s start web#0");
    }

    @Test
    @DisplayName("D-5 a startup of an instance that has been replaced counts for nothing")
    void staleStartup() {
      PodPlay play =
          PodPlay.of(pod().init(container("side").sidecar().startupProbe()).with(container("web")))
              .add();
      play.exit("side#0", 1).startedUp("side#0");
      assertThat(play.happened()).containsExactly("0s start side#0", "0s start side#1");
      assertThat(play.startedUp("side#1").happened()).containsExactly("0s start web#0");
    }

    @Test
    @DisplayName("D-5 a sidecar that ends later is restarted alone; init goes on")
    void sidecarEndsDuringInit() {
      PodPlay play =
          PodPlay.of(
                  pod()
                      .policy(RestartPolicy.NEVER)
                      .init(container("side").sidecar().startupProbe(), container("init"))
                      .with(container("web")))
              .add()
              .startedUp("side#0");
      play.happened();
      assertThat(play.exit("side#0", 0).happened()).containsExactly("0s start side#1");
      assertThat(play.exit("init#0", 0).happened()).containsExactly("0s start web#0");
    }

    @Test
    @DisplayName("a container that cannot be started is seen terminated like in a shell")
    void refused() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).refusing("web").add();
      assertThat(play.happened()).containsExactly("0s start web#0", "0s start web#1");
      assertThat(play.looks("web"))
          .containsExactly(
              "WAITING code=0 restarts=0 ContainerCreating",
              "TERMINATED web#0 code=127 restarts=0 ContainerCannotRun",
              "TERMINATED web#1 code=127 restarts=1 ContainerCannotRun",
              "WAITING web#1 code=0 restarts=1 CrashLoopBackOff");
      assertThat(play.pass(ofSeconds(10)).happened()).containsExactly("10s start web#2");
    }

    @Test
    @DisplayName("a container that cannot be confined is seen waiting for that, as the kubelet's")
    void misconfigured() {
      PodPlay play =
          PodPlay.of(pod().with(container("web")))
              .refusing("web")
              .because("CreateContainerConfigError")
              .add();
      assertThat(play.looks("web"))
          .containsExactly(
              "WAITING code=0 restarts=0 ContainerCreating",
              "WAITING web#0 code=0 restarts=0 CreateContainerConfigError",
              "WAITING web#1 code=0 restarts=1 CreateContainerConfigError");
      assertThat(play.pass(ofSeconds(10)).happened())
          .containsExactly("0s start web#0", "0s start web#1", "10s start web#2");
    }
  }

  @Nested
  class Restarting {
    @ParameterizedTest(name = "{0}, exit {1}: {2}")
    @DisplayName("W-3.6 D-2 the policy decides whether a container that ended is started again")
    @CsvSource({
      "ALWAYS,     0, again",
      "ALWAYS,     1, again",
      "ON_FAILURE, 0, SUCCEEDED",
      "ON_FAILURE, 1, again",
      "NEVER,      0, SUCCEEDED",
      "NEVER,      1, FAILED",
    })
    void byPodPolicy(RestartPolicy policy, int exitCode, String then) {
      PodPlay play = PodPlay.of(pod().policy(policy).with(container("web"))).add();
      play.happened();
      boolean again = then.equals("again");
      assertThat(play.exit("web#0", exitCode).happened().contains("0s start web#1"))
          .isEqualTo(again);
      assertThat(play.phase()).isEqualTo(again ? Phase.RUNNING : Phase.valueOf(then));
    }

    @ParameterizedTest(name = "pod {0}, container {1}, exit {2}: restarts {3}")
    @DisplayName("W-3.6 a container's own policy and rules come first")
    @CsvSource({
      "NEVER,  ALWAYS,     0,  true",
      "NEVER,  ON_FAILURE, 0,  false",
      "NEVER,  ON_FAILURE, 1,  true",
      "ALWAYS, NEVER,      1,  false",
      "ALWAYS, NEVER,      42, true",
    })
    void byContainerPolicy(RestartPolicy pod, RestartPolicy own, int exitCode, boolean again) {
      PodPlay play =
          PodPlay.of(
                  pod()
                      .policy(pod)
                      .with(
                          container("web").policy(own, new RestartRule(true, Set.of(42))),
                          container("other")))
              .add();
      play.happened();
      assertThat(play.exit("web#0", exitCode).happened().contains("0s start web#1"))
          .isEqualTo(again);
    }

    @Test
    @DisplayName(
        "D-3 first at once, then after 10 s, 20 s … 300 s, with CrashLoopBackOff meanwhile")
    void backsOff() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add();
      play.happened();
      assertThat(play.exit("web#0", 1).happened()).containsExactly("0s start web#1");
      int attempt = 1;
      for (int delay : new int[] {10, 20, 40, 80, 160, 300, 300}) {
        play.exit("web#" + attempt, 1);
        assertThat(play.seen("web").state()).isEqualTo(State.WAITING);
        assertThat(play.seen("web").reason()).isEqualTo("CrashLoopBackOff");
        assertThat(play.seen("web").id()).isEqualTo("web#" + attempt);
        assertThat(play.seen("web").nextStart()).isEqualTo(play.wall().plusSeconds(delay));
        assertThat(play.phase()).isEqualTo(Phase.RUNNING);
        assertThat(play.pass(ofSeconds(delay).minusMillis(1)).happened()).isEmpty();
        attempt++;
        assertThat(play.pass(ofMillis(1)).happened())
            .hasSize(1)
            .first()
            .asString()
            .endsWith("start web#" + attempt);
      }
      assertThat(play.seen("web").restartCount()).isEqualTo(attempt);
    }

    @Test
    @DisplayName("D-3 the end is told with its exit code before the back-off")
    void looks() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add().exit("web#0", 1);
      play.exit("web#1", 137).pass(ofSeconds(10));
      assertThat(play.looks("web"))
          .containsExactly(
              "WAITING code=0 restarts=0 ContainerCreating",
              "RUNNING web#0 code=0 restarts=0",
              "TERMINATED web#0 code=1 restarts=0 Error",
              "RUNNING web#1 code=0 restarts=1",
              "TERMINATED web#1 code=137 restarts=1 Error",
              "WAITING web#1 code=0 restarts=1 CrashLoopBackOff",
              "RUNNING web#2 code=0 restarts=2");
    }

    @Test
    @DisplayName("D-3 after ten minutes of running the back-off begins anew")
    void resets() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add();
      play.exit("web#0", 1).exit("web#1", 1).pass(ofSeconds(10)).exit("web#2", 1);
      play.pass(ofSeconds(20)).happened();
      play.pass(ofMinutes(10).minusMillis(1));
      play.exit("web#3", 1);
      assertThat(play.happened()).as("a moment too short").isEmpty();
      play.pass(ofSeconds(40)).happened();
      play.pass(ofMinutes(10));
      assertThat(play.exit("web#4", 1).happened())
          .hasSize(1)
          .first()
          .asString()
          .endsWith("start web#5");
      play.exit("web#5", 1);
      assertThat(play.pass(ofSeconds(9)).happened()).isEmpty();
      assertThat(play.pass(ofSeconds(1)).happened()).hasSize(1);
    }

    @Test
    @DisplayName("D-3 each container backs off by itself")
    void perContainer() {
      PodPlay play = PodPlay.of(pod().with(container("web"), container("log"))).add();
      play.exit("web#0", 1).exit("web#1", 1).happened();
      assertThat(play.exit("log#0", 1).happened()).containsExactly("0s start log#1");
    }

    @Test
    @DisplayName("D-3 W-3.6 reports nothing when nothing changed")
    void quiet() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add();
      int before = play.reportCount();
      play.on(new PodEvent.Tick()).startedUp("web#0").exit("other#0", 1);
      assertThat(play.reportCount()).isEqualTo(before);
    }
  }

  @Nested
  class StoppingOneContainer {
    @Test
    @DisplayName("D-1 TERM at once, KILL when the grace is over")
    void termThenKill() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add();
      play.happened();
      play.stop("web#0", ofSeconds(5));
      play.pass(ofSeconds(60));
      assertThat(play.happened())
          .containsExactly("0s term web#0", "5s kill web#0", "5s start web#1");
      assertThat(play.looks("web")).contains("TERMINATED web#0 code=137 restarts=0 Error");
    }

    @Test
    @DisplayName("D-1 no KILL for what ended in time")
    void inTime() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add();
      play.stop("web#0", ofSeconds(5)).pass(ofSeconds(4)).exit("web#0", 0).happened();
      assertThat(play.pass(ofMinutes(1)).happened()).isEmpty();
      assertThat(play.seen("web").id()).isEqualTo("web#1");
    }

    @Test
    @DisplayName("D-1 asked twice, TERM goes out once and the shorter grace wins")
    void twice() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add();
      play.happened();
      play.stop("web#0", ofSeconds(60)).stop("web#0", ofSeconds(2)).stop("web#0", ofSeconds(30));
      assertThat(play.pass(ofSeconds(2)).happened())
          .containsExactly("0s term web#0", "2s kill web#0", "2s start web#1");
    }

    @Test
    @DisplayName("D-1 without grace TERM and KILL go out together")
    void noGrace() {
      PodPlay play = PodPlay.of(pod().policy(RestartPolicy.NEVER).with(container("web"))).add();
      play.happened();
      assertThat(play.stop("web#0", Duration.ZERO).happened())
          .containsExactly("0s term web#0", "0s kill web#0");
    }

    @ParameterizedTest(name = "pod {0}, container {1}, exit {2}: {3}")
    @DisplayName(
        "D-2 Always and OnFailure start again, whatever the exit code; Never stays stopped, and is a"
            + " failure even with 0")
    @CsvSource({
      "ALWAYS,     ,           0,   RUNNING",
      "ON_FAILURE, ,           0,   RUNNING",
      "ON_FAILURE, ,           143, RUNNING",
      "NEVER,      ,           0,   FAILED",
      "NEVER,      ,           143, FAILED",
      "NEVER,      ON_FAILURE, 0,   RUNNING",
      "ALWAYS,     NEVER,      143, FAILED",
    })
    void restartsByPolicy(RestartPolicy pod, RestartPolicy own, int exitCode, Phase phase) {
      PodPlay play = PodPlay.of(pod().policy(pod).with(container("web").policy(own))).add();
      play.stop("web#0", ofSeconds(5)).exit("web#0", exitCode);
      assertThat(play.phase()).isEqualTo(phase);
      assertThat(play.seen("web").restartCount()).isEqualTo(phase == Phase.RUNNING ? 1 : 0);
    }

    @Test
    @DisplayName("D-2 W-3.6 an end that the policy would make final is not shown if it is not")
    void neverSeenTerminated() {
      PodPlay play =
          PodPlay.of(pod().policy(RestartPolicy.ON_FAILURE).with(container("web"))).add();
      play.stop("web#0", ofSeconds(5)).exit("web#0", 0);
      assertThat(play.looks("web"))
          .endsWith(
              "RUNNING web#0 code=0 restarts=0",
              "WAITING web#0 code=0 restarts=0 Error",
              "RUNNING web#1 code=0 restarts=1");
    }

    @ParameterizedTest(name = "{0} has less time")
    @DisplayName("D-1 each of several has its own grace, whichever is asked first")
    @CsvSource({"web, log", "log, web"})
    void several(String less, String more) {
      PodPlay play =
          PodPlay.of(pod().policy(RestartPolicy.NEVER).with(container("web"), container("log")));
      play.add().happened();
      play.stop(less + "#0", ofSeconds(5)).stop(more + "#0", ofSeconds(60)).pass(ofMinutes(2));
      assertThat(play.happened())
          .containsExactly(
              "0s term " + less + "#0",
              "0s term " + more + "#0",
              "5s kill " + less + "#0",
              "1m0s kill " + more + "#0");
    }

    @Test
    @DisplayName("D-1 an instance that is gone is not stopped")
    void stale() {
      PodPlay play = PodPlay.of(pod().with(container("web"))).add().exit("web#0", 1);
      play.happened();
      assertThat(play.stop("web#0", ofSeconds(5)).pass(ofMinutes(1)).happened()).isEmpty();
    }
  }

  @Nested
  class EndingThePod {
    private final PodPlay play =
        PodPlay.of(
            pod()
                .grace(ofSeconds(20))
                .init(container("side1").sidecar(), container("side2").sidecar())
                .with(container("web"), container("log")));

    @Test
    @DisplayName("W-10 regular containers end together, then sidecars in reverse order, then gone")
    void order() {
      play.add().happened();
      play.remove();
      assertThat(play.happened()).containsExactly("0s term web#0", "0s term log#0");
      assertThat(play.seen().deleting()).isTrue();
      play.pass(ofSeconds(1)).exit("web#0", 0);
      assertThat(play.happened()).isEmpty();
      play.pass(ofSeconds(1)).exit("log#0", 143);
      assertThat(play.happened()).containsExactly("2s term side2#0");
      play.exit("side2#0", 0);
      assertThat(play.happened()).containsExactly("2s term side1#0");
      play.exit("side1#0", 0);
      assertThat(play.happened()).containsExactly("2s gone");
      assertThat(play.seen("web").state()).isEqualTo(State.TERMINATED);
      assertThat(play.on(new PodEvent.Tick()).remove().happened()).isEmpty();
    }

    @Test
    @DisplayName("one grace period for the pod; sidecars get 2 s when it is used up")
    void graceUsedUp() {
      play.add().happened();
      play.remove().pass(ofMinutes(1));
      assertThat(play.happened())
          .containsExactly(
              "0s term web#0",
              "0s term log#0",
              "20s term side2#0",
              "20s term side1#0",
              "20s kill web#0",
              "20s kill log#0",
              "22s kill side1#0",
              "22s kill side2#0",
              "22s gone");
    }

    @Test
    @DisplayName("a sidecar may use what is left of the grace period")
    void graceLeft() {
      play.add().happened();
      play.remove().pass(ofSeconds(5)).exit("web#0", 0).exit("log#0", 0).happened();
      play.pass(ofSeconds(14));
      assertThat(play.happened()).isEmpty();
      play.pass(ofSeconds(3));
      assertThat(play.happened())
          .containsExactly("20s term side1#0", "20s kill side2#0", "22s kill side1#0", "22s gone");
    }

    @Test
    @DisplayName("without grace everything is killed at once")
    void noGrace() {
      PodPlay hurry = PodPlay.of(pod().grace(Duration.ZERO).with(container("web"))).add();
      hurry.happened();
      assertThat(hurry.remove().happened())
          .containsExactly("0s term web#0", "0s kill web#0", "0s gone");
    }

    @Test
    @DisplayName("a pod in back-off goes at once and nothing is started any more")
    void backingOff() {
      PodPlay pod = PodPlay.of(pod().with(container("web"))).add();
      pod.exit("web#0", 1).exit("web#1", 1).happened();
      assertThat(pod.remove().pass(ofMinutes(10)).happened()).containsExactly("0s gone");
      assertThat(pod.seen("web").state()).isEqualTo(State.TERMINATED);
      assertThat(pod.seen("web").exitCode()).isEqualTo(1);
    }

    @Test
    @DisplayName("a pod that is removed while it initialises never starts the rest")
    void whileInitialising() {
      PodPlay pod = PodPlay.of(pod().init(container("init")).with(container("web"))).add();
      pod.remove();
      assertThat(pod.exit("init#0", 0).pass(ofMinutes(1)).happened())
          .containsExactly("0s start init#0", "0s term init#0", "0s gone");
    }

    @Test
    @DisplayName("D-2 a probe's longer grace does not outlast the pod's")
    void probeStopThenRemoval() {
      PodPlay pod = PodPlay.of(pod().grace(ofSeconds(10)).with(container("web"))).add();
      pod.happened();
      pod.stop("web#0", ofMinutes(5)).remove().pass(ofMinutes(1));
      assertThat(pod.happened()).containsExactly("0s term web#0", "10s kill web#0", "10s gone");
    }

    @Test
    @DisplayName("sidecars are stopped when all regular containers are done")
    void completed() {
      PodPlay job =
          PodPlay.of(
              pod()
                  .policy(RestartPolicy.ON_FAILURE)
                  .init(container("side").sidecar())
                  .with(container("one"), container("two")));
      job.add().exit("one#0", 0).happened();
      assertThat(job.exit("two#0", 0).happened()).containsExactly("0s term side#0");
      assertThat(job.phase()).isEqualTo(Phase.RUNNING);
      assertThat(job.seen().deleting()).isFalse();
      job.exit("side#0", 143);
      assertThat(job.phase()).isEqualTo(Phase.SUCCEEDED);
      assertThat(job.pass(ofMinutes(10)).happened()).as("it stays until removed").isEmpty();
      assertThat(job.remove().happened()).containsExactly("10m0s gone");
      assertThat(job.seen().deleting()).isTrue();
    }

    @Test
    @DisplayName("a pod that is over already has no more time when it is removed as well")
    void removedWhileEnding() {
      PodPlay job =
          PodPlay.of(
              pod()
                  .policy(RestartPolicy.NEVER)
                  .grace(ofSeconds(30))
                  .init(container("side1").sidecar(), container("side2").sidecar())
                  .with(container("web")));
      job.add().happened();
      job.exit("web#0", 0).pass(ofSeconds(10)).remove().remove().pass(ofMinutes(2));
      assertThat(job.happened())
          .containsExactly(
              "0s term side2#0",
              "30s term side1#0",
              "30s kill side2#0",
              "32s kill side1#0",
              "32s gone");
    }

    @Test
    @DisplayName("a sidecar's last grace is no longer than the pod's")
    void shortGrace() {
      PodPlay pod =
          PodPlay.of(
              pod().grace(ofSeconds(1)).init(container("side").sidecar()).with(container("web")));
      pod.add().happened();
      assertThat(pod.remove().pass(ofMinutes(1)).happened())
          .containsExactly(
              "0s term web#0", "1s term side#0", "1s kill web#0", "2s kill side#0", "2s gone");
    }

    @Test
    @DisplayName("a pod that is over and stays waits for nothing")
    void overAndStays() {
      PodPlay job = PodPlay.of(pod().policy(RestartPolicy.NEVER).with(container("one"))).add();
      assertThat(job.exit("one#0", 0).waitsForTime()).isFalse();
    }

    @Test
    @DisplayName("one failed container is enough for the pod to fail")
    void oneFailed() {
      PodPlay job =
          PodPlay.of(pod().policy(RestartPolicy.NEVER).with(container("one"), container("two")));
      job.add().exit("one#0", 1);
      assertThat(job.phase()).isEqualTo(Phase.RUNNING);
      job.exit("two#0", 0);
      assertThat(job.phase()).isEqualTo(Phase.FAILED);
    }
  }

  /** While a launch has not been answered yet. */
  @Nested
  class BetweenLaunchAndAnswer {
    private static final EventTime NOW = new EventTime(7, Instant.EPOCH);
    private final PodLifecycle lifecycle = new PodLifecycle(BackOff.KUBELET);

    @Test
    @DisplayName("D-5 an init container is launched once, whatever happens meanwhile")
    void once() {
      PodLife life = PodLife.of(pod().init(container("init")).with(container("web")).build());
      PodLifecycle.Step added = lifecycle.step(life, new PodEvent.Added(), NOW);
      assertThat(added.effects()).filteredOn(PodEffect.Launch.class::isInstance).hasSize(1);
      assertThat(lifecycle.step(added.life(), new PodEvent.Tick(), NOW).effects()).isEmpty();
    }

    @Test
    @DisplayName("W-10 a sidecar that is being launched when the pod ends is stopped once it runs")
    void podEnds() {
      PodLife life =
          PodLife.of(
              pod()
                  .init(container("side").sidecar().startupProbe())
                  .with(container("web"))
                  .build());
      life = lifecycle.step(life, new PodEvent.Added(), NOW).life();
      PodLifecycle.Step removed = lifecycle.step(life, new PodEvent.Removed(), NOW);
      assertThat(removed.effects())
          .noneMatch(PodEffect.Terminate.class::isInstance)
          .noneMatch(PodEffect.Gone.class::isInstance);
      PodLifecycle.Step runs =
          lifecycle.step(removed.life(), new PodEvent.Launched("side", "side#0"), NOW);
      assertThat(runs.effects()).contains(new PodEffect.Terminate("side#0"));
      assertThat(lifecycle.step(runs.life(), new PodEvent.Exited("side#0", 0), NOW).effects())
          .last()
          .isEqualTo(new PodEffect.Gone());
    }
  }
}
