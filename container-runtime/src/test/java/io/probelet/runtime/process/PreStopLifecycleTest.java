package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.container;
import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.PreStopHook;
import io.probelet.probe.RestartPolicy;
import io.probelet.runtime.process.LocalPodBuilders.ContainerBuilder;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** D-7: when hooks run, and what they leave of the grace period. */
class PreStopLifecycleTest {
  private static final PreStopHook HOOK = new PreStopHook.Sleep(ofSeconds(5));

  private static ContainerBuilder hooked(String name) {
    return container(name).preStop(HOOK);
  }

  private static PodPlay running(LocalPodBuilders.PodBuilder pod) {
    PodPlay play = PodPlay.of(pod).add().pass(ofSeconds(100));
    play.happened();
    return play;
  }

  @Test
  @DisplayName("D-7 a stop runs the hook first; TERM has what is left of the grace period")
  void first() {
    PodPlay play = running(pod().with(hooked("web")));
    assertThat(play.stop("web#0", ofSeconds(30)).happened())
        .containsExactly("1m40s hook web#0 within 30s");
    assertThat(play.pass(ofSeconds(12)).hookEnded("web#0").happened())
        .containsExactly("1m52s term web#0");
    assertThat(play.pass(ofMinutes(5)).happened())
        .containsExactly("2m10s kill web#0", "2m10s start web#1");
  }

  @Test
  @DisplayName("D-7 a hook that uses up nearly everything leaves two seconds for TERM")
  void leastGrace() {
    PodPlay play = running(pod().with(hooked("web"))).stop("web#0", ofSeconds(30));
    play.pass(ofSeconds(29)).hookEnded("web#0");
    assertThat(play.pass(ofSeconds(60)).happened())
        .containsExactly(
            "1m40s hook web#0 within 30s",
            "2m9s term web#0",
            "2m11s kill web#0",
            "2m11s start web#1");
  }

  @Test
  @DisplayName("D-7 a hook that hangs is over with the grace period; its end comes too late then")
  void hangs() {
    PodPlay play = running(pod().with(hooked("web"))).stop("web#0", ofSeconds(30));
    play.pass(ofSeconds(31)).hookEnded("web#0").pass(ofSeconds(60));
    assertThat(play.happened())
        .containsExactly(
            "1m40s hook web#0 within 30s",
            "2m10s term web#0",
            "2m12s kill web#0",
            "2m12s start web#1");
  }

  @Test
  @DisplayName("D-7 a container that ends while its hook runs is sent nothing, and started again")
  void endsMeanwhile() {
    PodPlay play = running(pod().with(hooked("web"))).stop("web#0", ofSeconds(30));
    play.pass(ofSeconds(3)).exit("web#0", 0).hookEnded("web#0").pass(ofMinutes(2));
    assertThat(play.happened()).containsExactly("1m40s hook web#0 within 30s", "1m43s start web#1");
  }

  @Test
  @DisplayName("D-7 asked twice, the hook runs once, and the shorter grace wins")
  void once() {
    PodPlay play = running(pod().with(hooked("web"))).stop("web#0", ofSeconds(30));
    play.stop("web#0", ofSeconds(10)).pass(ofSeconds(20));
    assertThat(play.happened())
        .containsExactly(
            "1m40s hook web#0 within 30s",
            "1m50s term web#0",
            "1m52s kill web#0",
            "1m52s start web#1");
  }

  @Test
  @DisplayName("D-7 without grace there is no hook, nor for what has ended already")
  void noTime() {
    PodPlay play = running(pod().policy(RestartPolicy.NEVER).with(hooked("web"), hooked("log")));
    assertThat(play.exit("log#0", 0).stop("log#0", ofSeconds(30)).happened()).isEmpty();
    assertThat(play.stop("web#0", Duration.ZERO).happened())
        .containsExactly("1m40s term web#0", "1m40s kill web#0");
  }

  @Test
  @DisplayName("D-7 when a pod ends all hooks run at once, sidecars wait for their turn after it")
  void podEnds() {
    PodPlay play =
        running(
            pod()
                .init(hooked("first").sidecar(), hooked("second").sidecar())
                .with(hooked("web"), container("log")));
    assertThat(play.remove().happened())
        .containsExactly(
            "1m40s hook first#0 within 30s",
            "1m40s hook second#0 within 30s",
            "1m40s hook web#0 within 30s",
            "1m40s term log#0");
    play.pass(ofSeconds(1)).hookEnded("first#0").exit("log#0", 143);
    assertThat(play.pass(ofSeconds(1)).hookEnded("web#0").happened())
        .containsExactly("1m42s term web#0");
    assertThat(play.exit("web#0", 143).happened()).as("the hook of second still runs").isEmpty();
    assertThat(play.pass(ofSeconds(1)).hookEnded("second#0").happened())
        .containsExactly("1m43s term second#0");
    assertThat(play.exit("second#0", 143).happened()).containsExactly("1m43s term first#0");
    assertThat(play.exit("first#0", 143).happened()).containsExactly("1m43s gone");
  }

  @Test
  @DisplayName("D-7 hooks that hang do not hold a pod's end up beyond its grace and two seconds")
  void podEndsLate() {
    PodPlay play = running(pod().init(hooked("side").sidecar()).with(hooked("web"))).remove();
    assertThat(play.pass(ofMinutes(10)).happened())
        .containsExactly(
            "1m40s hook side#0 within 30s",
            "1m40s hook web#0 within 30s",
            "2m10s term side#0",
            "2m10s term web#0",
            "2m12s kill side#0",
            "2m12s kill web#0",
            "2m12s gone");
  }

  @Test
  @DisplayName("D-7 whatever happens meanwhile, TERM is left its two seconds when a pod ends")
  void podEndsLateAndMore() {
    PodPlay play = running(pod().with(hooked("web"), container("log"))).remove();
    play.pass(ofMillis(30_100)).hookEnded("web#0").exit("log#0", 143).pass(ofMinutes(1));
    assertThat(play.happened())
        .containsExactly(
            "1m40s hook web#0 within 30s",
            "1m40s term log#0",
            "2m10s term web#0",
            "2m10s kill log#0",
            "2m12s kill web#0",
            "2m12s gone");
  }

  @Test
  @DisplayName("D-7 a sidecar left over when the others are done has its hook, too")
  void podDone() {
    PodPlay play =
        running(
            pod()
                .policy(RestartPolicy.NEVER)
                .init(hooked("side").sidecar())
                .with(container("web")));
    assertThat(play.exit("web#0", 0).happened()).containsExactly("1m40s hook side#0 within 30s");
    assertThat(play.hookEnded("side#0").happened()).containsExactly("1m40s term side#0");
  }

  @Test
  @DisplayName("D-7 a hook that ends late does not put off the end of the sidecars")
  void sidecarsDoNotWaitForTheLastGrace() {
    PodPlay play = running(pod().init(container("side").sidecar()).with(hooked("web"))).remove();
    play.pass(ofSeconds(29)).hookEnded("web#0").pass(ofMinutes(1));
    assertThat(play.happened())
        .containsExactly(
            "1m40s hook web#0 within 30s",
            "2m9s term web#0",
            "2m10s term side#0",
            "2m11s kill web#0",
            "2m12s kill side#0",
            "2m12s gone");
  }
}
