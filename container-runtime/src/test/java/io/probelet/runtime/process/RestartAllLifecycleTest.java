package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.container;
import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.runtime.process.LocalPodBuilders.ContainerBuilder;
import io.probelet.runtime.process.LocalPodBuilders.PodBuilder;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** D-23: when all containers of a pod restart, and in which order. */
class RestartAllLifecycleTest {
  private static final PreStopHook HOOK = new PreStopHook.Sleep(ofSeconds(5));

  /** A container whose exit code 42 restarts the pod. */
  private static ContainerBuilder web() {
    return container("web").policy(RestartPolicy.NEVER, new RestartRule(true, Set.of(42), true));
  }

  private static PodPlay running(PodBuilder pod) {
    PodPlay play = PodPlay.of(pod).add();
    if (play.seen("migrate") != null) {
      play.exit("migrate#0", 0);
    }
    play.happened();
    return play;
  }

  @Test
  @DisplayName("D-23 a rule ends the others within 2 s, then all start again in their order")
  void rule() {
    PodPlay play =
        running(
            pod()
                .init(container("migrate"), container("proxy").sidecar())
                .with(web(), container("other").preStop(HOOK)));
    assertThat(play.exit("web#0", 42).happened())
        .containsExactly("0s restart all for web", "0s term proxy#0", "0s term other#0");
    assertThat(play.exit("other#0", 143).happened()).isEmpty();
    assertThat(play.phase()).isEqualTo(Phase.RUNNING);
    assertThat(play.pass(ofSeconds(2)).happened())
        .containsExactly("2s kill proxy#0", "2s start migrate#1");
    assertThat(play.seen("web").reason()).isEqualTo("PodInitializing");
    assertThat(play.seen("web").id()).isEqualTo("web#0");
    assertThat(play.exit("migrate#1", 0).happened())
        .containsExactly("2s start proxy#1", "2s start web#1", "2s start other#1");
    assertThat(play.seen("other").restartCount()).isEqualTo(1);
    assertThat(play.waitsForTime()).isFalse();
  }

  @Test
  @DisplayName("D-23 another exit code restarts only its own container, or none")
  void otherCode() {
    PodPlay play = running(pod().with(web(), container("other")));
    assertThat(play.exit("other#0", 42).happened()).containsExactly("0s start other#1");
    assertThat(play.exit("web#0", 1).happened()).isEmpty();
    assertThat(play.seen("web").state()).isEqualTo(State.TERMINATED);
  }

  @Test
  @DisplayName("D-23 the first matching rule counts")
  void firstRule() {
    ContainerBuilder web =
        container("web")
            .policy(
                RestartPolicy.NEVER,
                new RestartRule(true, Set.of(42)),
                new RestartRule(true, Set.of(42), true));
    assertThat(running(pod().with(web, container("other"))).exit("web#0", 42).happened())
        .containsExactly("0s start web#1");
  }

  @Test
  @DisplayName("D-23 completed containers and those in back-off start again, too")
  void completed() {
    PodPlay play =
        running(
            pod()
                .with(
                    web(),
                    container("job").policy(RestartPolicy.NEVER),
                    container("slow").policy(RestartPolicy.NEVER),
                    container("crash").policy(RestartPolicy.ALWAYS)));
    play.exit("job#0", 0).exit("crash#0", 1).exit("crash#1", 1);
    assertThat(play.seen("crash").reason()).isEqualTo("CrashLoopBackOff");
    play.happened();
    assertThat(play.exit("web#0", 42).happened())
        .containsExactly("0s restart all for web", "0s term slow#0");
    assertThat(play.seen("job").state()).as("it comes back").isEqualTo(State.WAITING);
    assertThat(play.exit("slow#0", 0).happened())
        .containsExactly("0s start web#1", "0s start job#1", "0s start slow#1", "0s start crash#2");
    assertThat(play.seen("crash").restartCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("D-3 a container that keeps exiting so makes the pod wait for its back-off")
  void backOff() {
    PodPlay play = running(pod().with(web(), container("other")));
    play.exit("web#0", 42).exit("other#0", 143);
    play.happened();
    play.pass(ofSeconds(3)).exit("web#1", 42);
    assertThat(play.exit("other#1", 143).happened())
        .containsExactly("3s restart all for web", "3s term other#1");
    assertThat(play.seen("web").reason()).isEqualTo("CrashLoopBackOff");
    assertThat(play.pass(ofSeconds(9)).happened()).isEmpty();
    assertThat(play.pass(ofSeconds(1)).happened())
        .containsExactly("13s start web#2", "13s start other#2");
  }

  @Test
  @DisplayName("D-23 a container that cannot start restarts the pod if a rule says so")
  void refused() {
    ContainerBuilder web =
        container("web").policy(RestartPolicy.NEVER, new RestartRule(true, Set.of(127), true));
    PodPlay play = PodPlay.of(pod().with(container("other"), web)).refusing("web").add();
    assertThat(play.happened())
        .containsExactly(
            "0s start other#0", "0s start web#0", "0s restart all for web", "0s term other#0");
    assertThat(play.exit("other#0", 143).happened())
        .containsExactly(
            "0s start other#1", "0s start web#1", "0s restart all for web", "0s term other#1");
    assertThat(play.exit("other#1", 143).pass(ofSeconds(9)).happened()).isEmpty();
  }

  @Test
  @DisplayName("D-23 a probe of the pod ends all with their hooks and its grace, sidecars last")
  void probe() {
    PodPlay play =
        running(
            pod()
                .init(container("proxy").sidecar())
                .with(container("web"), container("other").preStop(HOOK)));
    assertThat(play.restartPod("web#0", ofSeconds(20)).happened())
        .containsExactly("0s restart all for web", "0s term web#0", "0s hook other#0 within 20s");
    assertThat(play.exit("web#0", 0).happened()).isEmpty();
    assertThat(play.seen("web").reason()).as("it failed").isEqualTo("Error");
    assertThat(play.pass(ofSeconds(5)).hookEnded("other#0").exit("other#0", 0).happened())
        .containsExactly("5s term other#0", "5s term proxy#0");
    assertThat(play.exit("proxy#0", 0).happened())
        .containsExactly("5s start proxy#1", "5s start web#1", "5s start other#1");
    assertThat(play.restartPod("web#1", ofSeconds(20)).pass(ofMinutes(1)).happened())
        .as("the second restart waits 10 s after web ended at 25 s")
        .containsExactly(
            "5s restart all for web",
            "5s term web#1",
            "5s hook other#1 within 20s",
            "25s term proxy#1",
            "25s kill web#1",
            "25s term other#1",
            "27s kill proxy#1",
            "27s kill other#1",
            "35s start proxy#2",
            "35s start web#2",
            "35s start other#2");
  }

  @Test
  @DisplayName("D-2 with policy Never a probe stops only its own container")
  void never() {
    PodPlay play =
        running(pod().with(container("web").policy(RestartPolicy.NEVER), container("other")));
    assertThat(play.restartPod("web#0", ofSeconds(20)).exit("web#0", 143).happened())
        .containsExactly("0s term web#0");
    assertThat(play.seen("web").state()).isEqualTo(State.TERMINATED);
    assertThat(play.seen("other").running()).isTrue();
  }

  @Test
  @DisplayName("D-23 a pod that is removed meanwhile does not start again")
  void removed() {
    PodPlay play = running(pod().with(web(), container("other")));
    play.exit("web#0", 42).remove();
    assertThat(play.exit("other#0", 143).happened())
        .containsExactly("0s restart all for web", "0s term other#0", "0s gone");

    PodPlay waiting = running(pod().init(container("migrate")).with(web(), container("other")));
    waiting.exit("web#0", 42).exit("other#0", 143);
    assertThat(waiting.remove().exit("migrate#1", 0).happened())
        .containsExactly(
            "0s restart all for web",
            "0s term other#0",
            "0s start migrate#1",
            "0s term migrate#1",
            "0s gone");
  }

  @Test
  @DisplayName("D-23 a pod that ends does not start again because of a rule")
  void ending() {
    PodPlay play = running(pod().with(web(), container("other")));
    play.remove().exit("web#0", 42);
    assertThat(play.exit("other#0", 143).happened())
        .containsExactly("0s term web#0", "0s term other#0", "0s gone");
  }
}
