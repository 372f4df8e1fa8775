package io.probelet.agent.statistics;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.StatisticsMemory;
import io.probelet.probe.latency.ProbeStatistics;
import io.probelet.web.statistics.ProbeStatisticsView;
import io.probelet.web.statistics.ProbeStatisticsView.Seen;
import io.probelet.web.statistics.StatisticsView;
import io.probelet.web.statistics.StatisticsView.ContainerStatistics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the statistics of probes on the node: saved every 15 minutes and at the agent's end, read
 * at its start. A crash loses what came since. Thread-safe; writes on its own thread.
 */
public final class SavedStatistics implements StatisticsMemory, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SavedStatistics.class);
  private static final String FILE = "probe-statistics.json";

  /** How often they are saved. */
  static final Duration INTERVAL = Duration.ofMinutes(15);

  private static final Duration WAIT = Duration.ofSeconds(2);

  private final StatisticsFile file;

  /** What has not been asked for yet; forgotten when it is saved for the first time. */
  private final Map<Key, ContainerStatistics> before = new LinkedHashMap<>();

  private @Nullable SerialLoop loop;
  private @Nullable ProbeEngine engine;

  private final Threads threads;

  /** A container of a pod, whatever instance of it. */
  private record Key(PodRef pod, String container) {}

  /** Begins with what an earlier life of the agent has kept. */
  public SavedStatistics(Path stateFolder, Threads threads) {
    this.threads = threads;
    file = new StatisticsFile(stateFolder.resolve(FILE));
    for (ContainerStatistics each : file.read()) {
      before.put(
          new Key(new PodRef(each.namespace(), each.pod(), each.uid()), each.container()), each);
    }
  }

  @Override
  public synchronized @Nullable ProbeStatistics remembered(ProbeSubject subject, ProbeSpec spec) {
    ContainerStatistics kept = before.get(new Key(subject.pod(), subject.container()));
    if (kept == null) {
      return null;
    }
    String kind = subject.kind().label().toLowerCase(Locale.ROOT);
    for (ProbeStatisticsView probe : kept.probes()) {
      Seen seen = probe.seen();
      if (probe.kind().equals(kind) && probe.isSameProbe(spec) && seen != null) {
        try {
          return seen.statistics();
        } catch (IllegalArgumentException corrupt) {
          LOG.warn(
              "cannot use saved statistics of a probe, they begin anew pod={} container={}"
                  + " reason=\"{}\"",
              subject.pod(),
              subject.container(),
              corrupt.getMessage());
        }
      }
    }
    return null;
  }

  /**
   * Begins to save.
   *
   * @param of has the statistics
   */
  public void start(ProbeEngine of) {
    SerialLoop started =
        SerialLoop.start(
            threads,
            "probe-statistics",
            1, // it has an alarm and no other task
            failure -> LOG.error("internal error while saving statistics, continuing", failure));
    synchronized (this) {
      engine = of;
      loop = started;
    }
    Alarm[] alarm = new Alarm[1];
    alarm[0] =
        started.alarm(() -> {
          alarm[0].set(INTERVAL);
          synchronized (this) {
            before.clear(); // pods that are gone
          }
          save(of);
        });
    alarm[0].set(INTERVAL);
  }

  private void save(ProbeEngine of) {
    CompletableFuture<List<ContainerSnapshot>> asked = of.snapshot(HistoryQuery.STATISTICS);
    try {
      StatisticsView now =
          StatisticsView.of(threads.get(asked, WAIT), _ -> Optional.empty(), new EngineUsage(of));
      file.write(with(now));
    } catch (TimeoutException | ExecutionException late) {
      LOG.debug("the event loops did not answer, saving statistics later", late);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /** Adds what belongs to pods that are not known yet. */
  private synchronized StatisticsView with(StatisticsView now) {
    Map<Key, ContainerStatistics> unclaimed = new LinkedHashMap<>(before);
    for (ContainerStatistics each : now.containers()) {
      unclaimed.remove(
          new Key(new PodRef(each.namespace(), each.pod(), each.uid()), each.container()));
    }
    if (unclaimed.isEmpty()) {
      return now;
    }
    List<ContainerStatistics> all = new ArrayList<>(now.containers());
    all.addAll(unclaimed.values());
    return new StatisticsView(
        all, now.omitted(), now.usedBytes(), now.limitBytes(), now.probesWithout());
  }

  /** Saves once more. To be closed before the probe engine. */
  @Override
  public void close() {
    SerialLoop running;
    ProbeEngine last;
    synchronized (this) {
      running = loop;
      last = engine;
    }
    if (running != null && last != null) {
      running.close();
      save(last);
    }
  }
}
