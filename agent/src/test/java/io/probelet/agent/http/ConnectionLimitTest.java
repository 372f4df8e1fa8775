package io.probelet.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who may be connected, and who gives way; connections are numbers here. */
class ConnectionLimitTest {
  private static final int MAX_ANSWERED = HttpLimits.OF_STATUS.answered();
  private static final int MAX_CONNECTIONS = HttpLimits.OF_STATUS.connections();

  private final ConnectionLimit<Integer> limit = new ConnectionLimit<>(HttpLimits.OF_STATUS);

  private void connect(int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(limit.connected(i)).isEmpty();
    }
  }

  @Test
  @DisplayName("the one that has been silent longest gives way to a new one")
  void silent() {
    connect(0, MAX_CONNECTIONS);
    assertThat(limit.asks(0, false)).isTrue();
    assertThat(limit.asks(2, true)).isTrue();
    assertThat(limit.connected(100)).contains(1);
    assertThat(limit.connected(101)).contains(3);
    assertThat(limit.asks(1, true)).as("it was closed").isFalse();
    limit.ended(1); // told late
    assertThat(limit.connected(102)).contains(4);
  }

  @Test
  @DisplayName("so many are answered and no more; who asks for health is")
  void answered() {
    connect(0, MAX_CONNECTIONS);
    for (int i = 0; i < MAX_ANSWERED; i++) {
      assertThat(limit.asks(i, false)).isTrue();
    }
    assertThat(limit.asks(MAX_ANSWERED, false)).isFalse();
    assertThat(limit.asks(MAX_ANSWERED, true)).isTrue();
    limit.ended(0);
    limit.ended(0);
    assertThat(limit.asks(MAX_ANSWERED + 1, false)).isTrue();
    assertThat(limit.asks(MAX_ANSWERED + 2, false)).isFalse();
  }

  @Test
  @DisplayName("where all are being answered, the new one has to go")
  void nobodySilent() {
    connect(0, MAX_CONNECTIONS);
    for (int i = 0; i < MAX_CONNECTIONS; i++) {
      assertThat(limit.asks(i, i >= MAX_ANSWERED)).isTrue();
    }
    assertThat(limit.connected(100)).contains(100);
    limit.ended(5);
    assertThat(limit.connected(101)).isEmpty();
  }

  @Test
  @DisplayName("who was answered and may ask again gives way after those that are silent longer")
  void usedAgain() {
    connect(0, MAX_CONNECTIONS);
    assertThat(limit.asks(0, false)).isTrue();
    limit.answered(0);
    assertThat(limit.connected(100)).contains(1);
    assertThat(limit.asks(0, false)).isTrue();
    limit.ended(7);
    limit.answered(7);
    assertThat(limit.connected(101)).as("who has ended does not come back").isEmpty();
    for (int i = 2; i < MAX_CONNECTIONS; i++) {
      limit.ended(i);
    }
    for (int i = 200; i < 200 + MAX_ANSWERED - 1; i++) {
      assertThat(limit.connected(i)).isEmpty();
      assertThat(limit.asks(i, false)).isTrue();
    }
    assertThat(limit.asks(100, false)).as("0 counts once").isFalse();
  }
}
