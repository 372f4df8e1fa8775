package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.KnownPodsFixture;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.ConfigurationReading;
import io.probelet.agent.policy.Enforcement;
import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whose containers are stopped is the administrator's word; a pod may only ask for less. */
class NodeGateTest {
  private static final String NO_GUARD = "guard: {enabled: false}\n";
  private static final String OBSERVED =
      NO_GUARD + "enforcement: {mode: enforce, namespaces: {shop: observe}}\n";

  private final AtomicReference<AgentConfiguration> configuration = new AtomicReference<>();
  private final KnownPods pods = new KnownPods();
  private final NodeGate gate =
      new NodeGate(
          () -> configuration.get().podRules(),
          () -> configuration.get().restarts().guard(),
          pods,
          new KeptRestarts(SystemClock.INSTANCE),
          (_, _, _) -> {},
          SystemClock.INSTANCE);

  private boolean lets(String yaml, String pod) {
    configuration.set(ConfigurationReading.of(yaml));
    return gate.lets(
        new RestartDecision(
            new ProbeSubject(new PodRef("shop", pod, "uid-" + pod), "web", ProbeKind.LIVENESS),
            "id",
            Duration.ofSeconds(1),
            new ProbeEvent("Normal", "Killing", "stopped"),
            "failed"));
  }

  @Test
  @DisplayName("A8 enforce on a pod in an observed namespace stops nothing")
  void onlyLess() {
    KnownPodsFixture.add(pods, "raises", Enforcement.ENFORCE);
    KnownPodsFixture.add(pods, "lowers", Enforcement.OBSERVE);
    KnownPodsFixture.add(pods, "silent", null);
    assertThat(lets(OBSERVED, "raises")).isFalse();
    assertThat(lets(OBSERVED, "silent")).isFalse();
    assertThat(lets(NO_GUARD, "raises")).isTrue();
    assertThat(lets(NO_GUARD, "lowers")).isFalse();
    assertThat(lets(OBSERVED + "policy: {preset: trusted}", "raises")).isTrue();
    assertThat(lets(OBSERVED + "policy: {preset: trusted}", "silent")).isFalse();
  }

  @Test
  @DisplayName("a pod that the API server has no longer is treated as its namespace says")
  void unknown() {
    assertThat(lets(OBSERVED, "gone")).isFalse();
    assertThat(lets(NO_GUARD, "gone")).isTrue();
  }
}
