package io.probelet.probe.engine;

import static io.probelet.probe.ProbeKind.LIVENESS;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** W-12 on an agent that stands still again and again, for longer than probes may be hidden. */
class StarvedProbeTest {
  private static final Verdict TIMED_OUT = Verdict.Failure.indefinite("deadline exceeded");
  private static final Verdict OK = new Verdict.Success("ok");

  private final EngineHarness harness = new EngineHarness();

  @BeforeEach
  void hang() {
    harness.settled();
    harness.target = () -> null;
  }

  private void probed(Duration timeout) {
    harness.running(
        Map.of(
            LIVENESS,
            ProbeSpec.of(Fixtures.HANDLER)
                .period(Duration.ofSeconds(1))
                .timeout(timeout)
                .failureThreshold(1)
                .build()));
  }

  /** Lets time pass of which an agent has two fifths. */
  private void starve(Duration length) {
    long end = harness.loop.time().nanoTime() + length.toNanos();
    while (harness.loop.time().nanoTime() - end < 0) {
      harness.loop.advance(Duration.ofMillis(100));
      harness.loop.stall(Duration.ofMillis(150));
    }
    harness.loop.run();
  }

  private void timesOut() {
    starve(harness.timeouts.getLast());
    harness.answer(TIMED_OUT);
  }

  /** Until the next probe is under way. */
  private void nextProbe() {
    for (int step = 0; step < 200 && harness.waiting() == 0; step++) {
      harness.loop.advance(Duration.ofMillis(25));
    }
    assertThat(harness.waiting()).isOne();
  }

  /** A probe with a timeout of a second was discarded, and the next is under way. */
  private void oneDiscarded() {
    probed(Duration.ofSeconds(1));
    timesOut();
    nextProbe();
  }

  private Verdict last() {
    return harness.probed.getLast().outcome().verdict();
  }

  @Test
  @DisplayName("W-12 a target that hangs is found out by a probe that is long enough")
  void hung() {
    oneDiscarded();
    timesOut();
    nextProbe();
    assertThat(harness.restarts).isEmpty();
    timesOut();
    assertThat(harness.restarts).hasSize(1);
    assertThat(harness.timeouts)
        .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
  }

  @Test
  @DisplayName("W-12 of a probe with its own timeout a stall decides alone: its timer may be late")
  void timerIsLate() {
    probed(Duration.ofSeconds(1));
    harness.loop.stall(Duration.ofMillis(150));
    harness.loop.advance(Duration.ofMillis(1100)); // where the loop has no core to spare
    harness.answer(TIMED_OUT);
    assertThat(last()).isInstanceOf(Verdict.ProberError.class);
    assertThat(harness.restarts).isEmpty();
  }

  @Test
  @DisplayName("W-12 a target that answers within its own timeout is healthy, however long we took")
  void healthy() {
    oneDiscarded();
    starve(Duration.ofMillis(1500));
    harness.answer(OK);
    assertThat(last()).isEqualTo(OK);
    assertThat(harness.restarts).isEmpty();
  }

  @Test
  @DisplayName("W-12 one that needs more than its timeout is not, only because it was given more")
  void late() {
    oneDiscarded();
    harness.loop.advance(Duration.ofMillis(1500));
    harness.answer(OK);
    assertThat(last())
        .isEqualTo(
            new Verdict.Failure(
                "the response came after its timeout of 1s, which was extended to 2s because the agent"
                    + " was stalled"));
    assertThat(harness.restarts).hasSize(1);
  }

  @Test
  @DisplayName("W-12 without stalls the probe has its own timeout again")
  void over() {
    oneDiscarded();
    harness.loop.advance(Duration.ofMillis(300));
    harness.answer(OK);
    nextProbe();
    assertThat(harness.timeouts.getLast()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("W-12 a connection that broke in a short stall of a long probe counts")
  void broken() {
    oneDiscarded();
    harness.loop.advance(Duration.ofMillis(200));
    harness.loop.stall(Duration.ofMillis(150));
    harness.answer(Verdict.Failure.indefinite("EOF"));
    assertThat(harness.restarts).hasSize(1);
  }

  @Test
  @DisplayName(
      "W-12 an agent that does not run at all decides nothing, and a timeout has its bounds")
  void bounds() {
    probed(Duration.ofSeconds(10));
    for (int probe = 0; probe < 8; probe++) {
      harness.loop.stall(harness.timeouts.getLast());
      harness.answer(TIMED_OUT);
      nextProbe();
    }
    assertThat(harness.restarts).isEmpty();
    assertThat(harness.timeouts)
        .startsWith(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(40))
        .endsWith(Duration.ofSeconds(70), Duration.ofSeconds(70));
  }
}
