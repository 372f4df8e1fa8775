package io.probelet.web.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.probelet.health.TimeSource;
import io.probelet.probe.Verdict;
import io.probelet.web.api.AgentView;
import io.probelet.web.api.GuardView;
import io.probelet.web.api.ManifestsView;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent's resource usage and problems, read from its own metrics on request; nothing is
 * measured in between.
 */
public final class AgentUsage {
  /** CPU time is compared with a sample up to this old, if there is one. */
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private static final Duration BETWEEN_SAMPLES = Duration.ofSeconds(1);

  private final MeterRegistry registry;
  private final String version;
  private final Health health;
  private final Supplier<AgentView.Stalls> stalls;
  private final TimeSource time;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private volatile Supplier<Optional<GuardView>> guard = Optional::empty;
  private volatile Supplier<Optional<ManifestsView>> manifests = Optional::empty;

  private record Sample(long nanos, double cpuSeconds) {}

  /** Whether the agent's event loops make progress. */
  @FunctionalInterface
  public interface Health {
    /**
     * {@return what is wrong; empty if nothing is}
     *
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<String> trouble() throws InterruptedException;
  }

  /**
   * Creates a reader of them.
   *
   * @param health asked each time; may block for less than a second
   * @param stalls when the agent stood still, asked each time
   */
  public AgentUsage(
      MeterRegistry registry,
      String version,
      Health health,
      Supplier<AgentView.Stalls> stalls,
      TimeSource time) {
    this.registry = registry;
    this.version = version;
    this.health = health;
    this.stalls = stalls;
    this.time = time;
  }

  /**
   * Shows the guard as well.
   *
   * @param shown asked each time
   */
  public void show(Supplier<GuardView> shown) {
    guard = () -> Optional.of(shown.get());
  }

  /**
   * Shows the manifests as well.
   *
   * @param shown asked each time
   */
  public void showManifests(Supplier<ManifestsView> shown) {
    manifests = () -> Optional.of(shown.get());
  }

  /**
   * {@return how the agent is doing now; safe for use by several threads}
   *
   * @throws InterruptedException if the thread was interrupted
   */
  public AgentView view() throws InterruptedException {
    double start = gauge("process.start.time.seconds");
    double resident = gauge("process.resident.memory.bytes");
    double files = gauge("process.open.fds");
    AgentView.Stalls stood = stalls.get();
    return new AgentView(
        version,
        Double.isNaN(start) ? "" : startTime(start).toString(),
        health.trouble().orElse(""),
        cpu(start),
        Double.isNaN(resident)
            ? null
            : new AgentView.Memory(
                (long) resident,
                (long) gauge("jvm.memory.used.bytes"),
                (long) gauge("jvm.memory.max.bytes")),
        Double.isNaN(files) ? null : (long) files,
        registry.find("probelet.queue.length").gauges().stream()
            .map(this::queue)
            .sorted(Comparator.comparing(AgentView.Queue::name))
            .toList(),
        registry.find("probelet.event.loop.lag").timers().stream()
            .map(AgentUsage::loop)
            .sorted(Comparator.comparing(AgentView.Loop::loop))
            .toList(),
        new AgentView.Stalls(stood.count(), stood.seconds(), stood.last(), discarded()),
        guard.get().map(shown -> shown.with(kept())).orElse(null),
        manifests.get().orElse(null));
  }

  private static Instant startTime(double seconds) {
    return Instant.ofEpochMilli(Math.round(seconds * TimeUnit.SECONDS.toMillis(1)))
        .truncatedTo(ChronoUnit.SECONDS);
  }

  private synchronized AgentView.@Nullable Cpu cpu(double start) {
    FunctionCounter spent = registry.find("process.cpu.seconds").functionCounter();
    if (spent == null || Double.isNaN(spent.count())) {
      return null;
    }
    Sample now = new Sample(time.nanoTime(), spent.count());
    while (samples.size() > 1 && now.nanos() - samples.getFirst().nanos() > WINDOW.toNanos()) {
      samples.removeFirst();
    }
    Sample newest = samples.peekLast();
    if (newest == null || now.nanos() - newest.nanos() >= BETWEEN_SAMPLES.toNanos()) {
      samples.addLast(now);
    }
    Sample from = samples.getFirst();
    double over = (now.nanos() - from.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
    double cpu = now.cpuSeconds() - from.cpuSeconds();
    if (over < 1 && !Double.isNaN(start)) { // first request: since the start
      over = time.wallMillis() / (double) TimeUnit.SECONDS.toMillis(1) - start;
      cpu = now.cpuSeconds();
    }
    return new AgentView.Cpu(
        rounded(now.cpuSeconds()),
        over > 0 ? rounded(100 * cpu / over) : 0,
        rounded(Math.max(0, over)));
  }

  private AgentView.Queue queue(Gauge length) {
    String name = tag(length, "queue");
    Gauge limit = registry.find("probelet.queue.limit").tag("queue", name).gauge();
    return new AgentView.Queue(
        name, (long) length.value(), limit == null ? null : (long) limit.value());
  }

  private static AgentView.Loop loop(Timer lag) {
    return new AgentView.Loop(
        tag(lag, "loop"),
        rounded(lag.mean(TimeUnit.MILLISECONDS)),
        rounded(lag.max(TimeUnit.MILLISECONDS)));
  }

  private long discarded() {
    var discarded =
        registry
            .find("probelet.probes.discarded")
            .tag("reason", Verdict.Reason.STALLED.label())
            .counter();
    return discarded == null ? 0 : (long) discarded.count();
  }

  private Map<String, Long> kept() {
    Map<String, Long> kept = new TreeMap<>();
    registry
        .find("probelet.restarts.kept")
        .functionCounters()
        .forEach(counter -> kept.put(tag(counter, "reason"), (long) counter.count()));
    return kept;
  }

  private double gauge(String name) {
    Gauge gauge = registry.find(name).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  private static String tag(Meter meter, String key) {
    String value = meter.getId().getTag(key);
    return value == null ? "" : value;
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
