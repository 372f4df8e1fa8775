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
  @DisplayName("N-1 another's lease is taken only after it stood still for as long as it lasts")
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
  @DisplayName("N-1 a lease that its holder lets last longer is respected for longer")
  void longer() {
    assertThat(mayTake(held("other", "1", 60))).isFalse();
    clock.advance(Duration.ofSeconds(59));
    assertThat(mayTake(held("other", "1", 60))).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(mayTake(held("other", "1", 60))).isTrue();
  }

  @Test
  @DisplayName("what nobody holds, what was given back and what is ours is taken at once")
  void free() {
    assertThat(mayTake(Seen.NOTHING)).isTrue();
    assertThat(mayTake(held("", "1", 1))).isTrue();
    assertThat(mayTake(held("me", "2", 15))).isTrue();
  }

  @Test
  @DisplayName("N-1 a lease that someone deleted is taken only when its holder cannot act any more")
  void deleted() {
    assertThat(mayTake(held("other", "1", 15))).isFalse();
    assertThat(mayTake(Seen.NOTHING)).isFalse();
    clock.advance(Duration.ofSeconds(15));
    assertThat(mayTake(Seen.NOTHING)).isTrue();
  }

  @Test
  @DisplayName("N-1 the leader's time is over by whichever clock says so first")
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
  @DisplayName("what is seen makes a new value: who decides by the old one decides as before")
  void immutable() {
    ElectionRules before = rules.see(held("other", "1", 15), 0);
    ElectionRules after = before.see(held("other", "2", 15), Duration.ofSeconds(10).toNanos());
    long later = Duration.ofSeconds(15).toNanos();
    assertThat(before.mayTake(held("other", "1", 15), later)).isTrue();
    assertThat(after.mayTake(held("other", "2", 15), later)).isFalse();
    assertThat(after.remaining(held("other", "2", 15), later)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  @DisplayName(
      "a lease keeps its holder's time from taking to giving back, and its count of holders")
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
