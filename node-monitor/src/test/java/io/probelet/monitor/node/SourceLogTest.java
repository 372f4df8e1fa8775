package io.probelet.monitor.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.track.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SourceLogTest {
  private static final SourceState STARTING = new SourceState.Starting();
  private static final SourceState RUNNING = new SourceState.Running();
  private static final SourceState FAILING = new SourceState.Failing("no answer");
  private static final SourceState MISSING =
      new SourceState.Unavailable(Obstacle.NOT_THERE, "there is no socket");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-22T12:00:00Z"));
  private final SourceLog log = new SourceLog();

  @BeforeEach
  void begin() {
    log.begin(now().plus(SourceLog.MAX_WAIT));
  }

  private ClockReading now() {
    return ClockReading.of(clock);
  }

  /** The rows that are due; empty while somebody is awaited. */
  private Optional<List<String>> due(SourceState dns, SourceState units) {
    return log.due(
            List.of(
                new SourceView("dns", dns, 0, 0, 0, 0, 0, 0, 0),
                new SourceView("units", units, 0, 0, 0, 0, 0, 0, 0)),
            now())
        .map(sources ->
            sources.stream()
                .map(source -> source.source() + " " + source.state().label())
                .toList());
  }

  @Test
  @DisplayName("B-17 what cannot run, when all have been tried, then changes only")
  void table() {
    assertThat(due(STARTING, MISSING)).isEmpty();
    assertThat(due(RUNNING, MISSING)).contains(List.of("units unavailable"));
    assertThat(due(FAILING, MISSING)).contains(List.of());
    assertThat(due(RUNNING, RUNNING)).contains(List.of("units running"));
  }

  @Test
  @DisplayName("B-17 the lines do not wait longer for silent sources")
  void silentSource() {
    clock.advance(SourceLog.MAX_WAIT.minus(Duration.ofMillis(1)));
    assertThat(due(STARTING, RUNNING)).isEmpty();
    clock.advance(Duration.ofMillis(1));
    assertThat(due(STARTING, RUNNING)).contains(List.of("dns starting"));
    assertThat(due(FAILING, RUNNING)).contains(List.of("dns failing"));
  }
}
