package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.KnownPodsFixture;
import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.agent.config.RestartSettings.Removal;
import io.probelet.health.ManualClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept besides what is observed and what the guard holds, and how that is told. */
class RestartGatesTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final KnownPods pods = new KnownPods();
  private final SuppressedRestarts kept = new SuppressedRestarts(clock, this::kept);
  private final List<String> told = new ArrayList<>();
  private boolean runtime;
  private Removal removal = Removal.EVICT;
  private final EvictionGate evictions =
      new EvictionGate(() -> !runtime, () -> removal, pods, new EvictionBackOff(), kept, clock);
  private final JobCompletionGate successes = new JobCompletionGate(pods, kept);

  private void kept(RestartDecision decision, String reason, String message) {
    told.add(reason + ": " + message);
  }

  private static RestartDecision decision(String pod) {
    PodRef ref = new PodRef("shop", pod, "uid-" + pod);
    return new RestartDecision(
        new ProbeSubject(ref, "web", ProbeKind.LIVENESS),
        Targets.of(ref, "web", "id-" + pod),
        Duration.ofSeconds(30),
        new ProbeEvent(
            "Normal", "Killing", "Container web failed liveness probe, will be restarted"),
        "failed");
  }

  @Test
  @DisplayName("without a runtime a successor waits, which is reported once")
  void backOff() {
    KnownPodsFixture.owned(pods, "first", RestartPolicy.ALWAYS, "rs");
    assertThat(evictions.allows(decision("first"))).isTrue();
    KnownPodsFixture.owned(pods, "second", RestartPolicy.ALWAYS, "rs");
    for (int second = 0; second < 10; second++) {
      assertThat(evictions.allows(decision("second"))).isFalse();
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(evictions.allows(decision("second"))).isTrue();
    assertThat(told)
        .containsExactly(
            "BackOff: Back-off removing pods of one owner: container web failed liveness"
                + " probe, next removal in 10 s");
    assertThat(kept.count(Why.BACK_OFF)).isEqualTo(1);
  }

  @Test
  @DisplayName("with a runtime no back-off applies: the owner backs off")
  void withRuntime() {
    runtime = true;
    KnownPodsFixture.owned(pods, "first", RestartPolicy.ALWAYS, "rs");
    assertThat(evictions.allows(decision("first"))).isTrue();
    KnownPodsFixture.owned(pods, "second", RestartPolicy.ALWAYS, "rs");
    assertThat(evictions.allows(decision("second"))).isTrue();
    assertThat(evictions.worded(decision("a"))).isEqualTo(decision("a"));
  }

  @ParameterizedTest
  @CsvSource({"EVICT, Evicting, evicted", "DELETE, Deleting, deleted"})
  @DisplayName("D-6: what is evicted is not said to be restarted")
  void worded(Removal how, String reason, String word) {
    removal = how;
    assertThat(evictions.worded(decision("a")).event())
        .isEqualTo(
            new ProbeEvent(
                "Normal", reason, "Container web failed liveness probe, its pod will be " + word));
  }

  @ParameterizedTest
  @CsvSource({"ON_FAILURE, false", "ALWAYS, true", "NEVER, true"})
  @DisplayName("D-2: a restart that could count as success is refused and reported once")
  void wrongSuccess(RestartPolicy policy, boolean stopped) {
    KnownPodsFixture.owned(pods, "job", policy, "job");
    assertThat(successes.allows(decision("job"))).isEqualTo(stopped);
    assertThat(successes.allows(decision("job"))).isEqualTo(stopped);
    assertThat(told).hasSize(stopped ? 0 : 1);
    assertThat(told)
        .allMatch(text ->
            text.equals(
                "RestartRefused: Container web failed liveness probe, but is not restarted: with"
                    + " restartPolicy OnFailure exit code 0 would count as success"));
  }
}
