package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeSnapshot.Entry;
import io.probelet.probe.engine.ProbeSnapshot.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring keeps the newest outcomes in order, whole and small. */
class ProbeHistoryTest {
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");

  private final ProbeHistory history = new ProbeHistory();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 8, 9, 59, 60, 61, 130})
  @DisplayName("the last 60 outcomes, oldest first")
  void lastSixty(int outcomes) {
    for (int i = 0; i < outcomes; i++) {
      history.add(T.plusSeconds(i), new Verdict.Failure("no. " + i), Duration.ofMillis(i));
    }
    assertThat(history.newest(ProbeHistory.CAPACITY))
        .containsExactlyElementsOf(
            IntStream.range(Math.max(0, outcomes - 60), outcomes)
                .mapToObj(i ->
                    new Entry(T.plusSeconds(i), Outcome.FAILED, Duration.ofMillis(i), "no. " + i))
                .toList());
  }

  @Test
  @DisplayName("long messages are cut to 256 characters")
  void cut() {
    history.add(T, new Verdict.Success("x".repeat(10_000)), Duration.ZERO);
    assertThat(history.newest(ProbeHistory.CAPACITY).getFirst().message()).hasSize(256);
  }

  @Test
  @DisplayName("every outcome has its word")
  void words() {
    history.add(T, new Verdict.Success(""), Duration.ZERO);
    history.add(T, new Verdict.Warning(""), Duration.ZERO);
    history.add(T, new Verdict.ProberError(Verdict.Reason.STALLED, ""), Duration.ZERO);
    assertThat(history.newest(ProbeHistory.CAPACITY))
        .extracting(Entry::outcome)
        .containsExactly(Outcome.SUCCESSFUL, Outcome.WARNING, Outcome.ERROR);
  }
}
