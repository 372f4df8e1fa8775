package io.probelet.monitor.node;

import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.track.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Says in the log which sources run and why others cannot (B-17): once in one table, and then what
 * has changed. What fails later says so itself. Belongs to one thread.
 */
final class SourceLog {
  /** How long the table waits for sources of which nothing is known yet. */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(SourceLog.class);

  private final Map<String, String> said = new HashMap<>();
  private ClockReading until = new ClockReading(0, Instant.EPOCH);
  private boolean waiting;

  /** Other sources than before have begun; whoever has not said anything by then is not awaited. */
  void begin(ClockReading deadline) {
    until = deadline;
    waiting = true;
  }

  /**
   * Says what has not been said.
   *
   * @return whether everything has been, so that it may be asked at leisure
   */
  boolean say(List<SourceView> sources, ClockReading now) {
    Optional<List<SourceView>> due = due(sources, now);
    if (due.isPresent() && !due.get().isEmpty()) {
      long unavailable =
          sources.stream()
              .filter(source -> source.state() instanceof SourceState.Unavailable)
              .count();
      LOG.info(
          "node monitor sources checked sources={} unavailable={}", sources.size(), unavailable);
      due.get().forEach(SourceLog::log);
    }
    return due.isPresent();
  }

  /** Whose rows are to be written now; empty while others are awaited. */
  Optional<List<SourceView>> due(List<SourceView> sources, ClockReading now) {
    boolean untried =
        sources.stream().anyMatch(source -> source.state() instanceof SourceState.Starting);
    if (waiting && untried && !now.reached(until)) {
      return Optional.empty();
    }
    waiting = false;
    said.keySet().retainAll(sources.stream().map(SourceView::source).toList());
    return Optional.of(
        sources.stream()
            .filter(source -> !kind(source).equals(said.put(source.source(), kind(source))))
            .toList());
  }

  /** What is news if it changes; the words may change without. */
  private static String kind(SourceView source) {
    return switch (source.state()) {
      case SourceState.Starting() -> "starting";
      case SourceState.Running(), SourceState.Failing _ -> "running";
      case SourceState.Unavailable missing -> missing.obstacleLabel();
    };
  }

  /** What fails now and then runs all the same. */
  private static String runs(SourceView source) {
    return switch (source.state()) {
      case SourceState.Starting() -> "runs=unknown: no result yet";
      case SourceState.Running(), SourceState.Failing _ -> "runs=yes";
      case SourceState.Unavailable missing ->
          "runs=no reason=" + missing.obstacleLabel() + ": " + missing.why();
    };
  }

  static String row(SourceView source) {
    return "source=" + source.source() + " " + runs(source);
  }

  private static void log(SourceView source) {
    LoggingEventBuilder line =
        LOG.atInfo()
            .addKeyValue("source", source.source())
            .addKeyValue("state", source.state().label());
    if (source.state() instanceof SourceState.Unavailable missing) {
      line = line.addKeyValue("reason", missing.obstacleLabel());
    }
    line.log("{}", row(source));
  }
}
