package io.probelet.web.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.IntSupplier;

/** How full the queues are in which probes wait for what may be slow. */
public final class QueueMetrics {
  private QueueMetrics() {}

  /**
   * Adds a queue.
   *
   * @param length how much is in it; asked at each scrape, on any thread
   * @param limit how much may be in it; more is refused
   */
  public static void add(MeterRegistry registry, String name, IntSupplier length, int limit) {
    add(registry, name, length);
    Gauge.builder("probelet.queue.limit", () -> limit)
        .description("Capacity of the queue; more is rejected.")
        .tag("queue", name)
        .register(registry);
  }

  /**
   * Adds a queue without a limit of its own, as what can be in it is bounded otherwise.
   *
   * @param length how much is in it; asked at each scrape, on any thread
   */
  public static void add(MeterRegistry registry, String name, IntSupplier length) {
    Gauge.builder("probelet.queue.length", length::getAsInt)
        .description("Items waiting or in progress in a queue.")
        .tag("queue", name)
        .register(registry);
  }
}
