package io.probelet.agent.config;

import static java.util.stream.Collectors.joining;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.probelet.agent.config.ConfigurationFile.Reading;
import io.probelet.document.field.Problem;
import io.probelet.health.TimeSource;
import io.probelet.manifest.FolderWatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of a running agent, reloaded when its file changes. Components read values each
 * time they need them, or register for changes. An invalid file is rejected as a whole: the
 * previous configuration stays, and the next change is read.
 */
public final class LiveConfiguration implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveConfiguration.class);

  private final @Nullable Path file;
  private final UnaryOperator<AgentConfiguration> prevailing;
  private final TimeSource time;
  private final @Nullable FolderWatch watch;
  private final AgentConfiguration started;
  private final List<BiConsumer<AgentConfiguration, AgentConfiguration>> listeners =
      new CopyOnWriteArrayList<>();
  private final List<Consumer<String>> refusals = new CopyOnWriteArrayList<>();
  private final LongAdder taken = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private volatile AgentConfiguration now;
  private volatile Reading last;
  private volatile Instant lastTaken;

  /**
   * Reads the configuration for the first time.
   *
   * @param file where it is; null where there is none, and nothing ever changes
   * @throws IllegalArgumentException if it cannot be used; the message is for the user
   */
  public LiveConfiguration(
      @Nullable Path file, UnaryOperator<AgentConfiguration> prevailing, TimeSource time) {
    this.file = file;
    this.prevailing = prevailing;
    this.time = time;
    // A pipe can be read once only.
    watch = file != null && Files.isRegularFile(file) ? new FolderWatch(List.of(file), time) : null;
    last =
        file == null
            ? new Reading(AgentConfiguration.DEFAULT, List.of())
            : ConfigurationFile.read(file);
    if (!last.problems().isEmpty()) {
      throw new IllegalArgumentException(
          last.problems().stream()
              .map(Problem::toString)
              .collect(joining("\n", "the configuration cannot be used\n", "")));
    }
    started = prevailing.apply(last.configuration());
    now = started;
    lastTaken = time.wallTime();
  }

  /** {@return the configuration that holds now} */
  public AgentConfiguration now() {
    return now;
  }

  /**
   * Notifies whenever a part of the configuration has become another.
   *
   * @param listener takes what it is from now on; called on one thread, and may block it
   */
  public <T> void whenChanged(Function<AgentConfiguration, T> part, Consumer<T> listener) {
    listeners.add((before, after) -> {
      T value = part.apply(after);
      if (!value.equals(part.apply(before))) {
        listener.accept(value);
      }
    });
  }

  /**
   * Notifies of each invalid file, after which the configuration stays unchanged.
   *
   * @param listener takes what is wrong, for the user; called on one thread
   */
  public void whenRefused(Consumer<String> listener) {
    refusals.add(listener);
  }

  /** Registers metrics of reloads. */
  public void addTo(MeterRegistry metrics) {
    count(metrics, "success", taken);
    count(metrics, "failure", refused);
    Gauge.builder("probelet.config.last.reload.successful", this, it -> it.isRefused() ? 0 : 1)
        .description("1 if the current configuration file is in use, 0 if it was rejected.")
        .register(metrics);
    TimeGauge.builder(
            "probelet.config.last.reload.success.timestamp",
            this,
            TimeUnit.MILLISECONDS,
            it -> it.lastTaken.toEpochMilli())
        .description("Time of the last successful configuration reload, in seconds since 1970.")
        .register(metrics);
    Gauge.builder("probelet.config.restart.pending", this, it -> it.waiting().size())
        .description("Changed configuration keys that apply after an agent restart.")
        .register(metrics);
  }

  private static void count(MeterRegistry metrics, String result, LongAdder times) {
    FunctionCounter.builder("probelet.config.reloads", times, LongAdder::sum)
        .description("Configuration reloads by result.")
        .tag("result", result)
        .register(metrics);
  }

  /** Starts watching the file. */
  public void follow() {
    if (watch != null) {
      watch.start("configuration", this::readAgain);
    }
  }

  private void readAgain() {
    if (file == null) {
      return;
    }
    boolean isDefault = now.equals(prevailing.apply(AgentConfiguration.DEFAULT));
    Reading reading = ConfigurationFile.read(file, isDefault);
    if (Thread.currentThread().isInterrupted() || reading.equals(last)) {
      return; // closed, which may have interrupted the read; or unchanged
    }
    last = reading;
    if (isRefused()) {
      refused.increment();
      LOG.error(
          "invalid configuration, keeping the previous one file={} reason=\"{}\"",
          file,
          reading.problems().stream().map(String::valueOf).collect(Collectors.joining("; ")));
      String first = String.valueOf(reading.problems().getFirst());
      refusals.forEach(listener -> listener.accept(first));
      return;
    }
    taken.increment();
    lastTaken = time.wallTime();
    take(prevailing.apply(reading.configuration()));
  }

  private void take(AgentConfiguration next) {
    AgentConfiguration before = now;
    Set<String> changed = next.differingFrom(before);
    now = next;
    List<String> later = waiting().stream().filter(changed::contains).sorted().toList();
    if (later.isEmpty()) {
      LOG.info("configuration reloaded file={} changed={}", file, changed);
    } else {
      LOG.warn(
          "configuration reloaded, part of it applies after an agent restart"
              + " file={} changed={} after_restart={}",
          file,
          changed,
          later);
    }
    listeners.forEach(listener -> listener.accept(before, next));
  }

  private boolean isRefused() {
    return !last.problems().isEmpty();
  }

  private Set<String> waiting() {
    return now.waitingForRestart(started);
  }

  /** Stops watching the file. Listeners are not called after this returns. */
  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
