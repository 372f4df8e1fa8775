package io.probelet.probe.engine;

import static io.probelet.probe.ProbeKind.LIVENESS;
import static io.probelet.probe.ProbeKind.READINESS;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Samples of how late the ticks of a loop come. */
class LoopActivityTest {
  private final EngineHarness harness = new EngineHarness();
  private final List<Duration> samples = new ArrayList<>();

  LoopActivityTest() {
    harness.engine.sampleLag(0, samples::add);
  }

  @Test
  @DisplayName("W-20: without probes there is neither a sample nor a timer")
  void idle() {
    harness.loop.advance(Duration.ofHours(1));
    assertThat(samples).isEmpty();
    assertThat(harness.loop.nextTimer()).isEmpty();
  }

  @Test
  @DisplayName("W-20: of many ticks in a second one is a sample")
  void atMostOnceASecond() {
    ProbeSpec often = ProbeSpec.of(Fixtures.HANDLER).period(Duration.ofMillis(100)).build();
    harness.settled().running(Map.of(LIVENESS, often, READINESS, often));
    samples.clear();
    harness.advanceSeconds(10);
    assertThat(samples).hasSize(10).containsOnly(Duration.ZERO);
  }

  @Test
  @DisplayName("W-20: the first tick after a stall of a second is a sample, with its whole delay")
  void stall() {
    harness.settled().running(Map.of(LIVENESS, Fixtures.probe()));
    harness.advanceSeconds(25); // a tick is due in 5 s
    samples.clear();
    harness.loop.stall(Duration.ofSeconds(45));
    harness.loop.run();
    assertThat(samples).containsExactly(Duration.ofSeconds(40));
  }

  @Test
  @DisplayName("W-20: a stall between two ticks that cost a probe is a sample")
  void betweenTicks() {
    harness.settled();
    harness.target = () -> null;
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    harness.target = () -> new Verdict.Success("ok");
    samples.clear();
    harness.loop.stall(Duration.ofSeconds(6)); // the next tick is due after 10 s
    harness.answer(Verdict.Failure.indefinite("context deadline exceeded"));
    harness.advanceSeconds(60);
    assertThat(samples).contains(Duration.ofSeconds(6));
  }
}
