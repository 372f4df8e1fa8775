package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientRateTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final ClientRate<String> rate =
      new ClientRate<>(
          new ClientRate.Limit(3, Duration.ofSeconds(2)),
          new ClientRate.Limit(5, Duration.ofSeconds(1)),
          2,
          clock);

  private long taken(String client, int times) {
    return IntStream.range(0, times).filter(_ -> rate.take(client)).count();
  }

  @Test
  @DisplayName("a client has a burst and refills; others have their own")
  void each() {
    assertThat(taken("a", 100)).isEqualTo(3);
    assertThat(taken("b", 100)).isEqualTo(2); // the rest of all
    clock.advance(Duration.ofSeconds(2));
    assertThat(taken("a", 100)).isEqualTo(1);
    assertThat(taken("b", 100)).isEqualTo(1);
  }

  @Test
  @DisplayName("the shared limit does not use up a client's own budget")
  void all() {
    assertThat(taken("a", 3) + taken("b", 3)).isEqualTo(5);
    assertThat(taken("b", 100)).isZero();
    clock.advance(Duration.ofSeconds(1));
    assertThat(taken("b", 100)).isEqualTo(1);
  }

  @Test
  @DisplayName("beyond the client limit the oldest starts again")
  void forgotten() {
    assertThat(taken("a", 3)).isEqualTo(3);
    clock.advance(Duration.ofSeconds(1));
    taken("b", 1);
    taken("c", 1);
    clock.advance(Duration.ofSeconds(1));
    assertThat(taken("a", 1)).isEqualTo(1);
  }
}
