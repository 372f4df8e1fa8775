package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.config.GuardSettings;
import io.probelet.health.ManualClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When restarts are held because too much fails at once, in virtual time. */
class MassFailureGuardTest {
  private GuardSettings settings = GuardSettings.DEFAULT;
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final MassFailureGuard guard = new MassFailureGuard(() -> settings);

  private static ProbeSubject probe(int container, ProbeKind kind) {
    return new ProbeSubject(new PodRef("n", "p" + container, "u" + container), "c", kind);
  }

  private void fail(int from, int to) {
    for (int container = from; container < to; container++) {
      guard.unhealthy(probe(container, ProbeKind.LIVENESS), clock.nanoTime());
    }
  }

  private boolean holds(int probed) {
    return guard.holds(probed, Optional.empty(), clock.nanoTime()).isPresent();
  }

  private void pass(String time) {
    clock.advance(Duration.parse("PT" + time));
  }

  @ParameterizedTest(name = "{0} of {1}: {2}")
  @CsvSource({"4, 4, false", "5, 9, true", "5, 10, false", "6, 10, true", "125, 250, false"})
  @DisplayName("more than half of the containers, and at least five, within a minute")
  void threshold(int failed, int probed, boolean holds) {
    fail(0, failed);
    assertThat(holds(probed)).isEqualTo(holds);
  }

  @Test
  @DisplayName("two probes of one container count once")
  void containersCount() {
    for (int container = 0; container < 4; container++) {
      guard.unhealthy(probe(container, ProbeKind.LIVENESS), clock.nanoTime());
      guard.unhealthy(probe(container, ProbeKind.READINESS), clock.nanoTime());
    }
    assertThat(holds(4)).isFalse();
  }

  @Test
  @DisplayName("what failed more than a minute ago does not count")
  void window() {
    fail(0, 3);
    pass("61S");
    fail(3, 6);
    assertThat(holds(6)).isFalse();
  }

  @Test
  @DisplayName("restarts are held for two minutes and then pass, until the trouble is over")
  void held() {
    fail(0, 6);
    assertThat(holds(10)).isTrue();
    pass("1M59S");
    assertThat(holds(10)).isTrue();
    pass("1S");
    assertThat(holds(10)).isFalse();
    pass("30S");
    fail(6, 8);
    assertThat(holds(10)).as("one trouble is held once").isFalse();
    for (int container = 0; container < 8; container++) {
      guard.healthy(probe(container, ProbeKind.LIVENESS));
    }
    assertThat(holds(10)).isFalse();
    pass("5M");
    fail(0, 6);
    assertThat(holds(10)).as("a new trouble is held again").isTrue();
  }

  @Test
  @DisplayName("as soon as enough containers have recovered, the others may be restarted")
  void recovered() {
    fail(0, 6);
    assertThat(holds(10)).isTrue();
    guard.healthy(probe(0, ProbeKind.LIVENESS));
    assertThat(holds(10)).isFalse();
  }

  @Test
  @DisplayName("a starved node holds a single restart, and says what it lacks")
  void starved() {
    assertThat(guard.holds(100, Optional.of("memory"), clock.nanoTime())).contains("memory");
    assertThat(guard.holds(100, Optional.empty(), clock.nanoTime())).isEmpty();
  }

  @Test
  @DisplayName("switched off, it holds nothing")
  void off() {
    settings = new GuardSettings(false, 50, 5, Duration.ofMinutes(1), Duration.ofMinutes(2));
    assertThat(guard.holds(1, Optional.of("memory"), 0)).isEmpty();
  }

  @Test
  @DisplayName("settings that change while it holds count from then on")
  void changed() {
    fail(0, 6);
    assertThat(holds(10)).isTrue();
    settings = new GuardSettings(true, 70, 5, Duration.ofMinutes(1), Duration.ofMinutes(2));
    assertThat(holds(10)).as("6 of 10 are not more than 70 percent").isFalse();
    settings = GuardSettings.DEFAULT;
    assertThat(holds(10)).isTrue();
  }
}
