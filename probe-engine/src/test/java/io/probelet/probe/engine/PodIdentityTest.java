package io.probelet.probe.engine;

import static io.probelet.probe.ProbeKind.LIVENESS;
import static io.probelet.probe.ProbeKind.READINESS;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.runtime.ContainerObservation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A pod that bears the uid of another is another pod, whatever is done to either. */
class PodIdentityTest {
  private static final PodRef VICTIM = new PodRef("shop", "till", "uid");
  private static final PodRef HOSTILE = new PodRef("tenant", "till", "uid");
  private static final PodRef NAMED_OTHERWISE = new PodRef("shop", "other", "uid");
  private static final Map<ProbeKind, ProbeSpec> PROBES = Map.of(LIVENESS, Fixtures.probe());

  private final EngineHarness harness = new EngineHarness().settled();

  private void add(PodRef pod, Map<ProbeKind, ProbeSpec> probes) {
    harness.engine.add(Fixtures.pod(pod, RestartPolicy.ALWAYS, Fixtures.container(probes)));
    harness.loop.run();
  }

  private void observed(PodRef pod) {
    harness.engine.observed(
        Fixtures.seen(
            pod,
            ContainerObservation.running(
                "id-" + pod.namespace(), harness.loop.time().wallTime(), 0)));
    harness.loop.run();
  }

  private List<PodRef> probed() {
    return harness.probed.stream().map(each -> each.subject().pod()).distinct().toList();
  }

  @Test
  @DisplayName("its probes never reach the other's container, and decide nothing of it")
  void neverProbed() {
    harness.target = () -> new Verdict.Failure("refused");
    observed(VICTIM);
    add(HOSTILE, PROBES);
    add(NAMED_OTHERWISE, PROBES);
    observed(VICTIM);
    harness.advanceSeconds(120);
    assertThat(harness.probesStarted).isEmpty();
    assertThat(harness.restarts).isEmpty();
  }

  @Test
  @DisplayName("it replaces no other pod: both are probed, whichever came first")
  void bothThere() {
    add(HOSTILE, PROBES);
    add(VICTIM, PROBES);
    observed(VICTIM);
    harness.advanceSeconds(20);
    assertThat(probed()).containsExactly(VICTIM);
    observed(HOSTILE);
    harness.advanceSeconds(20);
    assertThat(probed()).containsExactly(VICTIM, HOSTILE);
  }

  @Test
  @DisplayName("what ends it leaves the other: gone, being stopped, removed")
  void ended() {
    add(VICTIM, Map.of(LIVENESS, Fixtures.probe(), READINESS, Fixtures.probe()));
    add(HOSTILE, PROBES);
    observed(VICTIM);
    observed(HOSTILE);
    harness.engine.gone(HOSTILE);
    harness.engine.stopLivenessAndStartup(HOSTILE);
    harness.engine.remove(HOSTILE);
    harness.loop.run();
    harness.probed.clear();
    harness.advanceSeconds(10);
    assertThat(harness.removed).containsExactly(HOSTILE);
    assertThat(harness.probed)
        .extracting(each -> each.subject().pod() + " " + each.subject().kind().label())
        .containsExactlyInAnyOrder("shop/till Liveness", "shop/till Readiness");
    assertThat(harness.status().pod()).isEqualTo(VICTIM);
  }
}
