package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.probelet.agent.config.GuardSettings;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.web.api.GuardView;
import io.probelet.web.api.GuardView.HoldView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When restarts are held because too much fails at once, in virtual time. */
class MassFailureGuardTest {
  private GuardSettings settings = GuardSettings.DEFAULT;
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final ProbedContainers containers = new ProbedContainers();
  private final HoldingConditions conditions = new HoldingConditions();
  private final MassFailureGuard guard =
      new MassFailureGuard(() -> settings, containers, conditions);

  private static ProbeSubject probe(int container, ProbeKind kind) {
    return probe("n", container, kind);
  }

  private static ProbeSubject probe(String namespace, int container, ProbeKind kind) {
    return new ProbeSubject(new PodRef(namespace, "p" + container, "u" + container), "c", kind);
  }

  private void fail(int from, int to) {
    fail("n", from, to);
  }

  private void fail(String namespace, int from, int to) {
    for (int container = from; container < to; container++) {
      containers.unhealthy(probe(namespace, container, ProbeKind.LIVENESS), clock.nanoTime());
    }
  }

  private void run(String namespace, int number) {
    for (int container = 0; container < number; container++) {
      containers.probed(probe(namespace, container, ProbeKind.LIVENESS));
    }
  }

  private boolean holds(int probed) {
    run("n", probed);
    return holds("n");
  }

  private boolean holds(String namespace) {
    return guard.holds(namespace, Optional.empty(), clock.nanoTime()).isPresent();
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
  @DisplayName("containers that are over do not count, and do not switch the guard off")
  void completed() {
    run("n", 30);
    for (int job = 6; job < 20; job++) {
      containers.running(probe(job, ProbeKind.LIVENESS).pod(), "c", false);
    }
    for (int job = 20; job < 30; job++) {
      containers.ended(probe(job, ProbeKind.LIVENESS));
    }
    fail(0, 6);
    assertThat(guard.holds("n", Optional.empty(), clock.nanoTime()))
        .contains("6 of 6 containers of namespace n turned unhealthy within 60 s");
  }

  @Test
  @DisplayName("a container that was stopped because it failed still counts")
  void stopped() {
    run("n", 9);
    fail(0, 5);
    for (int container = 0; container < 5; container++) {
      containers.running(probe(container, ProbeKind.LIVENESS).pod(), "c", false);
    }
    assertThat(holds("n")).isTrue();
  }

  @Test
  @DisplayName("a tenant whose containers all fail has its own restarts held, and no other's")
  void oneTenant() {
    run("hostile", 60);
    run("shop", 3);
    run("bank", 8);
    fail("hostile", 0, 60);
    fail("shop", 0, 1);
    assertThat(holds("hostile")).isTrue();
    assertThat(holds("shop")).isFalse();
    assertThat(holds("bank")).isFalse();
  }

  @Test
  @DisplayName("where most containers of most namespaces fail, it is the node, and all is held")
  void node() {
    run("shop", 3);
    run("bank", 8);
    run("logs", 1);
    fail("shop", 0, 2);
    fail("bank", 0, 4);
    assertThat(holds("shop")).isFalse();
    fail("bank", 4, 5);
    assertThat(guard.holds("shop", Optional.empty(), clock.nanoTime()))
        .contains("7 containers turned unhealthy within 60 s, in 2 of 3 namespaces more than 50 %");
    assertThat(holds("logs")).isTrue();
    pass("2M");
    assertThat(holds("shop")).isFalse();
    assertThat(holds("bank")).as("not held once more by itself").isFalse();
  }

  @ParameterizedTest
  @CsvSource({"4, false", "5, true"})
  @DisplayName("of the node, too, at least five have to fail")
  void leastOfNode(int failed, boolean holds) {
    run("shop", 2);
    run("bank", 3);
    fail("shop", 0, 2);
    fail("bank", 0, failed - 2);
    assertThat(guard.holds("shop", Optional.empty(), clock.nanoTime()).isPresent())
        .isEqualTo(holds);
    assertThat(holds("logs")).isEqualTo(holds);
  }

  @Test
  @DisplayName("two probes of one container count once")
  void containersCount() {
    for (int container = 0; container < 4; container++) {
      containers.unhealthy(probe(container, ProbeKind.LIVENESS), clock.nanoTime());
      containers.unhealthy(probe(container, ProbeKind.READINESS), clock.nanoTime());
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
    pass("3M");
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
      containers.healthy(probe(container, ProbeKind.LIVENESS));
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
    containers.healthy(probe(0, ProbeKind.LIVENESS));
    assertThat(holds(10)).isFalse();
  }

  @Test
  @DisplayName("MW-13 a condition that lasts longer than its hold leaves all other holds in force")
  void conditionLasts() {
    settings =
        new GuardSettings(
            true, 50, 5, Duration.ofMinutes(1), Duration.ofMinutes(2), Set.of("Disk", "Kernel"));
    run("n", 10);
    run("other", 10);
    becomesTrue("Disk");
    assertThat(holds("n")).isTrue();
    pass("1M");
    becomesTrue("Disk"); // said again, for another reason perhaps
    assertThat(holds("other")).isTrue();
    pass("1M");
    assertThat(holds("n")).as("its hold is over").isFalse();
    assertThat(guard.expected("n", Optional.empty(), clock.nanoTime())).isEmpty();

    assertThat(guard.holds("n", Optional.of("memory"), clock.nanoTime())).contains("memory");
    assertThat(guard.holds("n", Optional.empty(), clock.nanoTime())).isEmpty();
    fail("n", 0, 6);
    assertThat(holds("n")).as("too many fail").isTrue();
    assertThat(holds("other")).isFalse();
    assertThat(guard.view(Optional.empty(), clock).holds())
        .extracting(HoldView::namespace, HoldView::holding)
        .containsExactly(tuple("", false), tuple("n", true));

    becomesTrue("Kernel");
    assertThat(holds("other")).as("another condition has a hold of its own").isTrue();
    assertThat(guard.view(Optional.empty(), clock).trouble()).contains("condition Disk is True");
  }

  private void becomesTrue(String type) {
    conditions.conditionChanged(
        new Condition(
            type, ConditionStatus.TRUE, Instant.EPOCH, Instant.EPOCH, "Broken", "", List.of()));
  }

  @Test
  @DisplayName("a starved node holds a single restart, and says what it lacks")
  void starved() {
    assertThat(guard.holds("n", Optional.of("memory"), clock.nanoTime())).contains("memory");
    assertThat(guard.holds("n", Optional.empty(), clock.nanoTime())).isEmpty();
  }

  @Test
  @DisplayName("switched off, it holds nothing")
  void off() {
    settings = new GuardSettings(false, 50, 5, Duration.ofMinutes(1), Duration.ofMinutes(2));
    assertThat(guard.holds("n", Optional.of("memory"), 0)).isEmpty();
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

  private GuardView view(Optional<String> starved) {
    return guard.view(starved, clock);
  }

  @Test
  @DisplayName("it shows what it holds and until when, and that restarts pass afterwards")
  void shown() {
    assertThat(view(Optional.empty())).isEqualTo(new GuardView(true, "", List.of(), Map.of()));
    run("n", 10);
    fail(0, 6);
    assertThat(view(Optional.empty()).holds()).as("nothing was to be restarted yet").isEmpty();
    assertThat(holds("n")).isTrue();
    pass("30S");
    String reason = "6 of 10 containers of namespace n turned unhealthy within 60 s";
    GuardView held = view(Optional.empty());
    assertThat(held.trouble()).isEmpty();
    assertThat(held.holds())
        .containsExactly(
            new HoldView("n", reason, "1970-01-01T00:00:00Z", "1970-01-01T00:02:00Z", true));
    pass("2M");
    assertThat(view(Optional.empty()).holds()).extracting(HoldView::holding).containsExactly(false);
    assertThat(holds("n")).isFalse();
    for (int container = 0; container < 6; container++) {
      containers.healthy(probe(container, ProbeKind.LIVENESS));
    }
    assertThat(view(Optional.empty()).holds()).isEmpty();
  }

  @Test
  @DisplayName("it shows the node's problem, on hold or not, and at most 20 holds")
  void shownOfNode() {
    Optional<String> starved = Optional.of("the node is starved: memory pressure full 42 %");
    run("n", 1);
    assertThat(view(starved).trouble()).isEqualTo(starved.get());
    assertThat(view(starved).holds()).isEmpty();
    assertThat(guard.holds("n", starved, clock.nanoTime())).isPresent();
    assertThat(view(starved).holds())
        .extracting(HoldView::namespace, HoldView::reason, HoldView::holding)
        .containsExactly(tuple("", starved.get(), true));
    settings = new GuardSettings(true, 99, 1, Duration.ofMinutes(1), Duration.ofMinutes(2));
    assertThat(guard.holds("n", Optional.empty(), clock.nanoTime())).isEmpty();
    for (int namespace = 0; namespace <= MassFailureGuard.MAX_HOLDS; namespace++) {
      run("calm" + namespace, 1);
      run("n" + namespace, 1);
      fail("n" + namespace, 0, 1);
      assertThat(holds("n" + namespace)).isTrue();
    }
    assertThat(view(Optional.empty()).holds()).hasSize(MassFailureGuard.MAX_HOLDS);
    settings = new GuardSettings(false, 50, 5, Duration.ofMinutes(1), Duration.ofMinutes(2));
    assertThat(view(starved)).isEqualTo(new GuardView(false, "", List.of(), Map.of()));
  }
}
