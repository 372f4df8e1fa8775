package io.probelet.kube.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.ManualClock;
import io.probelet.kube.election.ElectionRules.Deadline;
import io.probelet.kube.election.ElectionRules.Seen;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ElectionRulesTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

  private final ManualClock clock = new ManualClock(THEN);
  private ElectionRules rules = new ElectionRules("me", ElectionTiming.DEFAULT);

  private boolean mayTake(Seen lease) {
    rules = rules.see(lease, clock.nanoTime());
    return rules.mayTake(lease, clock.nanoTime());
  }

  @Test
  @DisplayName("N-1 another's lease is acquired only after it was unchanged for its duration")
  void another() {
    assertThat(mayTake(held("other", "1", 15))).isFalse();
    clock.advance(Duration.ofSeconds(14));
    assertThat(mayTake(held("other", "2", 15))).isFalse();
    clock.advance(Duration.ofSeconds(14));
    assertThat(mayTake(held("other", "2", 15))).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(mayTake(held("other", "2", 15))).isTrue();
  }

  @Test
  @DisplayName("N-1 a longer lease duration of the holder is respected")
  void longer() {
    assertThat(mayTake(held("other", "1", 60))).isFalse();
    clock.advance(Duration.ofSeconds(59));
    assertThat(mayTake(held("other", "1", 60))).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(mayTake(held("other", "1", 60))).isTrue();
  }

  @Test
  @DisplayName("a free, released or own lease is acquired immediately")
  void free() {
    assertThat(mayTake(Seen.NOTHING)).isTrue();
    assertThat(mayTake(held("", "1", 1))).isTrue();
    assertThat(mayTake(held("me", "2", 15))).isTrue();
  }

  @Test
  @DisplayName("N-1 a deleted lease is acquired only when its holder can no longer act")
  void deleted() {
    assertThat(mayTake(held("other", "1", 15))).isFalse();
    assertThat(mayTake(Seen.NOTHING)).isFalse();
    clock.advance(Duration.ofSeconds(15));
    assertThat(mayTake(Seen.NOTHING)).isTrue();
  }

  @Test
  @DisplayName("N-1 leadership ends by whichever clock expires first")
  void deadline() {
    Deadline deadline = rules.deadline(clock.nanoTime(), clock.wallTime());
    clock.advance(Duration.ofSeconds(9));
    assertThat(deadline.isPast(clock.nanoTime(), clock.wallTime())).isFalse();
    clock.stepWallClock(Duration.ofSeconds(1)); // as after a suspension
    assertThat(deadline.isPast(clock.nanoTime(), clock.wallTime())).isTrue();
    clock.stepWallClock(Duration.ofSeconds(-100));
    assertThat(deadline.isPast(clock.nanoTime(), clock.wallTime())).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(deadline.isPast(clock.nanoTime(), clock.wallTime())).isTrue();
  }

  @Test
  @DisplayName("observations create a new value: decisions by the old one do not change")
  void immutable() {
    ElectionRules before = rules.see(held("other", "1", 15), 0);
    ElectionRules after = before.see(held("other", "2", 15), Duration.ofSeconds(10).toNanos());
    long later = Duration.ofSeconds(15).toNanos();
    assertThat(before.mayTake(held("other", "1", 15), later)).isTrue();
    assertThat(after.mayTake(held("other", "2", 15), later)).isFalse();
    assertThat(after.remaining(held("other", "2", 15), later)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  @DisplayName("a lease keeps its acquire time and its number of transitions")
  void leases() {
    Seen taken = rules.taken(held("other", "1", 60), THEN.plusSeconds(1));
    assertThat(taken)
        .isEqualTo(new Seen("me", "1", ElectionTiming.DEFAULT.lease(), 1, THEN.plusSeconds(1)));
    assertThat(rules.renewed(taken, "7"))
        .isEqualTo(new Seen("me", "7", ElectionTiming.DEFAULT.lease(), 1, THEN.plusSeconds(1)));
    assertThat(ElectionRules.released(taken, "8"))
        .isEqualTo(new Seen("", "8", Duration.ofSeconds(1), 1, THEN.plusSeconds(1)));
  }

  @Test
  void timesThatMakeNoSense() {
    assertThatThrownBy(() ->
            new ElectionTiming(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1)))
        .hasMessage(
            "lease PT5S, deadline PT5S, retry PT1S: each must be shorter than the" + " one before");
  }

  private static Seen held(String holder, String version, int seconds) {
    return new Seen(holder, version, Duration.ofSeconds(seconds), 0, THEN);
  }
}
