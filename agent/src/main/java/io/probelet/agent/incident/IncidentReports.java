package io.probelet.agent.incident;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.RecentMap;
import io.probelet.health.TimeSource;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.web.incident.Cause;
import io.probelet.web.incident.Cause.Confidence;
import io.probelet.web.incident.CauseType;
import io.probelet.web.incident.Causes;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentKind;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the causes of incidents: a log line and a count for each, and an event where the agent
 * itself acted on the container. The same cause of the same container is one event an hour.
 */
public final class IncidentReports implements Consumer<Incident> {
  private static final Logger LOG = LoggerFactory.getLogger(IncidentReports.class);
  private static final int MAX_CONTAINERS = 1000;
  private static final Duration AGAIN = Duration.ofHours(1);

  private final MeterRegistry metrics;
  private final BiConsumer<Incident, String> events;
  private final TimeSource time;

  /** When the cause of a container was told last; guarded by itself. */
  private final RecentMap<Told, Long> told = new RecentMap<>(MAX_CONTAINERS);

  private record Told(String namespace, String pod, String container, CauseType cause) {}

  /**
   * Creates a reporter.
   *
   * @param metrics counts incidents by kind and cause
   * @param events takes an incident and the text of its event, on any thread
   * @param time the clock
   */
  public IncidentReports(
      MeterRegistry metrics, BiConsumer<Incident, String> events, TimeSource time) {
    this.metrics = metrics;
    this.events = events;
    this.time = time;
  }

  /**
   * Counts what is not recorded.
   *
   * @param recorder misses incidents when too many come at once
   * @param store drops incidents when all are too large
   */
  public void count(IncidentRecorder recorder, IncidentStore store) {
    FunctionCounter.builder("probelet.incidents.missed", recorder, IncidentRecorder::missed)
        .description(
            "Incidents that were not recorded: too many at once, or the container was not found.")
        .register(metrics);
    FunctionCounter.builder("probelet.incidents.dropped", store, IncidentStore::dropped)
        .description("Recorded incidents that were dropped early because all took too much memory.")
        .register(metrics);
  }

  @Override
  public void accept(Incident incident) {
    Cause cause = Causes.of(incident);
    Counter.builder("probelet.incidents")
        .description("Restarts, crashes, holds and failures of readiness by their likely cause.")
        .tag("kind", incident.kind().label())
        .tag("cause", cause.type().label())
        .register(metrics)
        .increment();
    LOG.info(
        RestartDecision.LOG_MARKER,
        "incident recorded pod={} container={} incident={} cause={} confidence={} reason=\"{}\"",
        incident.ref(),
        incident.container(),
        incident.kind().label(),
        cause.type().label(),
        cause.confidence().label(),
        cause.sentence());
    boolean acted =
        incident.kind() == IncidentKind.KILLED || incident.kind() == IncidentKind.EVICTED;
    if (acted && cause.confidence() != Confidence.UNCLEAR && isNews(incident, cause)) {
      events.accept(incident, cause.text());
    }
  }

  private boolean isNews(Incident incident, Cause cause) {
    Told key = new Told(incident.namespace(), incident.pod(), incident.container(), cause.type());
    long now = time.nanoTime();
    synchronized (told) {
      Long before = told.get(key);
      if (before != null && now - before < AGAIN.toNanos()) {
        return false;
      }
      told.put(key, now);
      return true;
    }
  }
}
