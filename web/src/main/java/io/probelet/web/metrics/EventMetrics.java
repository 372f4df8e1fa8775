package io.probelet.web.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.kube.event.DropReason;
import io.probelet.kube.event.EventCounts;
import org.jspecify.annotations.Nullable;

/**
 * Counters of the Events about one kind of objects. Their writer may change, as with each term of a
 * leader; counters then restart. To be kept as long as the registry.
 */
public final class EventMetrics {
  private volatile @Nullable EventCounts counts;

  /** Adds the metrics, all of them 0. */
  public EventMetrics(MeterRegistry registry, String kind) {
    FunctionCounter.builder("probelet.events.written", this, EventMetrics::written)
        .description("Events written to the API server, updates included.")
        .tag("kind", kind)
        .register(registry);
    Gauge.builder("probelet.events.waiting", this, EventMetrics::waiting)
        .description("Events waiting to be written or updated.")
        .tag("kind", kind)
        .register(registry);
    for (DropReason why : DropReason.values()) {
      FunctionCounter.builder("probelet.events.dropped", this, events -> events.dropped(why))
          .description("Events, or counts of them, that were never written.")
          .tags("kind", kind, "reason", why.label())
          .register(registry);
    }
  }

  /**
   * Shows these counts from now on.
   *
   * @param now of the present writer
   */
  public void show(EventCounts now) {
    counts = now;
  }

  private double written() {
    EventCounts now = counts;
    return now == null ? 0 : now.written();
  }

  private double waiting() {
    EventCounts now = counts;
    return now == null ? 0 : now.waiting();
  }

  private double dropped(DropReason why) {
    EventCounts now = counts;
    return now == null ? 0 : now.dropped(why);
  }
}
