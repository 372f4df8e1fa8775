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
  private final ElectionRules rules = new ElectionRules("me", ElectionTiming.DEFAULT, clock);

  @Test
  @DisplayName("N-1 another's lease is taken only after it stood still for as long as it lasts")
  void another() {
    assertThat(rules.mayTake(held("other", "1", 15))).isFalse();
    clock.advance(Duration.ofSeconds(14));
    assertThat(rules.mayTake(held("other", "2", 15))).isFalse();
    clock.advance(Duration.ofSeconds(14));
    assertThat(rules.mayTake(held("other", "2", 15))).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(rules.mayTake(held("other", "2", 15))).isTrue();
  }

  @Test
  @DisplayName("N-1 a lease that its holder lets last longer is respected for longer")
  void longer() {
    assertThat(rules.mayTake(held("other", "1", 60))).isFalse();
    clock.advance(Duration.ofSeconds(59));
    assertThat(rules.mayTake(held("other", "1", 60))).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(rules.mayTake(held("other", "1", 60))).isTrue();
  }

  @Test
  @DisplayName("what nobody holds, what was given back and what is ours is taken at once")
  void free() {
    assertThat(rules.mayTake(Seen.NOTHING)).isTrue();
    assertThat(rules.mayTake(held("", "1", 1))).isTrue();
    assertThat(rules.mayTake(held("me", "2", 15))).isTrue();
  }

  @Test
  @DisplayName("N-1 a lease that someone deleted is taken only when its holder cannot act any more")
  void deleted() {
    assertThat(rules.mayTake(held("other", "1", 15))).isFalse();
    assertThat(rules.mayTake(Seen.NOTHING)).isFalse();
    clock.advance(Duration.ofSeconds(15));
    assertThat(rules.mayTake(Seen.NOTHING)).isTrue();
  }

  @Test
  @DisplayName("N-1 the leader's time is over by whichever clock says so first")
  void deadline() {
    Deadline deadline = rules.deadline();
    clock.advance(Duration.ofSeconds(9));
    assertThat(deadline.isPast(clock)).isFalse();
    clock.stepWallClock(Duration.ofSeconds(1)); // as after a suspension
    assertThat(deadline.isPast(clock)).isTrue();
    clock.stepWallClock(Duration.ofSeconds(-100));
    assertThat(deadline.isPast(clock)).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(deadline.isPast(clock)).isTrue();
  }

  @Test
  void timesThatMakeNoSense() {
    assertThatThrownBy(() ->
            new ElectionTiming(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1)))
        .hasMessage(
            "an election with lease PT5S, deadline PT5S, retry PT1S; each has to be shorter than the"
                + " last");
  }

  private static Seen held(String holder, String version, int seconds) {
    return new Seen(holder, version, Duration.ofSeconds(seconds), 0, THEN);
  }
}
