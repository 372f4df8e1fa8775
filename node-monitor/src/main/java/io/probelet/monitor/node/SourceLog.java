package io.probelet.monitor.node;

import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.track.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs how many sources run and why others cannot (B-17): once for all, then changes only. A source
 * that fails later logs this itself. Belongs to one thread.
 */
final class SourceLog {
  /** How long the first lines wait for sources without a result. */
  static final Duration MAX_WAIT = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(SourceLog.class);

  private static final String RUNNING = "running";

  private final Map<String, String> logged = new HashMap<>();
  private ClockReading until = new ClockReading(0, Instant.EPOCH);
  private boolean waiting;

  /** The sources have changed; they are logged at that time even if some have no result. */
  void begin(ClockReading deadline) {
    until = deadline;
    waiting = true;
  }

  /**
   * Logs what has not been logged yet.
   *
   * @return whether all sources were logged, so that the next call is not urgent
   */
  boolean logChanges(List<SourceView> sources, ClockReading now) {
    boolean others = !logged.keySet().equals(names(sources));
    Optional<List<SourceView>> due = due(sources, now);
    if (due.isPresent() && (others || !due.get().isEmpty())) {
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

  private static Set<String> names(List<SourceView> sources) {
    return sources.stream().map(SourceView::source).collect(Collectors.toSet());
  }

  /**
   * The sources to log one by one now; empty while waiting for others. Those that run at once are
   * only counted.
   */
  Optional<List<SourceView>> due(List<SourceView> sources, ClockReading now) {
    boolean untried =
        sources.stream().anyMatch(source -> source.state() instanceof SourceState.Starting);
    if (waiting && untried && !now.reached(until)) {
      return Optional.empty();
    }
    waiting = false;
    logged.keySet().retainAll(names(sources));
    return Optional.of(sources.stream().filter(this::isNews).toList());
  }

  private boolean isNews(SourceView source) {
    String kind = kind(source);
    String before = logged.put(source.source(), kind);
    return !kind.equals(before) && !(before == null && kind.equals(RUNNING));
  }

  /**
   * The part of a row whose change is logged; a change of its text alone is not. A source that
   * fails later logs this itself.
   */
  private static String kind(SourceView source) {
    return switch (source.state()) {
      case SourceState.Starting() -> "starting";
      case SourceState.Running(), SourceState.Failing _ -> RUNNING;
      case SourceState.Unavailable missing -> missing.obstacleLabel();
    };
  }

  private static void log(SourceView source) {
    String name = source.source();
    String state = source.state().label();
    switch (source.state()) {
      case SourceState.Starting() ->
          LOG.info("monitor source has no result yet source={} state={}", name, state);
      case SourceState.Running() ->
          LOG.info("monitor source is running source={} state={}", name, state);
      case SourceState.Failing _ ->
          LOG.info("monitor source is failing source={} state={}", name, state);
      case SourceState.Unavailable missing ->
          LOG.info(
              "monitor source is unavailable source={} state={} reason={} message=\"{}\"",
              name,
              state,
              missing.obstacleLabel(),
              missing.why());
    }
  }
}
