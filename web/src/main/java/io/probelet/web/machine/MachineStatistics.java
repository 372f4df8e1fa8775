package io.probelet.web.machine;

import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All statistics that are wanted, read at each scrape. What cannot be read is not there. */
public final class MachineStatistics implements MultiCollector {
  private final Labels common;
  private final Map<String, String> names;
  private final Map<String, Statistic> statistics;

  /**
   * Creates a collector of this machine.
   *
   * @param common labels that all series have
   */
  public MachineStatistics(StatisticsChoice choice, Labels common) {
    this(choice, common, Path.of("/"), SystemClock.INSTANCE);
  }

  MachineStatistics(StatisticsChoice choice, Labels common, Path root, TimeSource time) {
    this.common = common;
    names = new TreeMap<>(choice.names());
    statistics = statistics(choice, root, time);
  }

  private static Map<String, Statistic> statistics(
      StatisticsChoice choice, Path root, TimeSource time) {
    ProcFiles proc = new ProcFiles(root.resolve("proc"));
    DiskStatistics disks =
        new DiskStatistics(proc, root.resolve("sys/block"), choice, new MountedDisks(proc), time);
    return Stream.of(
            new CpuStatistics(proc).all(),
            new MemoryStatistics(proc).all(),
            new HostStatistics(proc, root.resolve("etc/os-release")).all(),
            disks.all(),
            new NetStatistics(proc, choice.hiddenInterfaces()).all(),
            new FeatureStatistics(proc, choice.knownModules()).all())
        .flatMap(each -> each)
        .collect(
            Collectors.toMap(Statistic::name, each -> each, (one, _) -> one, LinkedHashMap::new));
  }

  /** {@return what can be collected, by node-problem-detector's names} */
  public static Set<String> available() {
    return statistics(StatisticsChoice.NONE, Path.of("/"), SystemClock.INSTANCE).keySet();
  }

  /** {@return the shown names of those that only grow: they are counters, without a suffix} */
  public Set<String> counters() {
    return statistics.values().stream()
        .filter(each -> each.counter() && names.containsKey(each.name()))
        .map(each -> shown(names.getOrDefault(each.name(), each.name())))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String shown(String displayName) {
    return displayName.replaceAll("[^A-Za-z0-9_]", "_");
  }

  @Override
  public MetricSnapshots collect() {
    List<MetricSnapshot> all = new ArrayList<>();
    names.forEach((name, displayName) -> {
      Statistic statistic = statistics.get(name);
      if (statistic != null) {
        try {
          Map<Labels, Double> values = statistic.values().read();
          if (!values.isEmpty()) {
            all.add(snapshot(statistic, shown(displayName), values));
          }
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException unreadable) {
          // it is not there then, like everything that a kernel does not have
        }
      }
    });
    return new MetricSnapshots(all);
  }

  /** A counter's snapshot cannot be had without the suffix _total, which these do not have. */
  private MetricSnapshot snapshot(Statistic statistic, String shown, Map<Labels, Double> values) {
    MetricMetadata metadata =
        new MetricMetadata(shown, "As node-problem-detector's " + statistic.name() + ".");
    return statistic.counter()
        ? new UnknownSnapshot(
            metadata,
            values.entrySet().stream()
                .map(each ->
                    new UnknownDataPointSnapshot(
                        each.getValue(), common.merge(each.getKey()), null))
                .toList())
        : new GaugeSnapshot(
            metadata,
            values.entrySet().stream()
                .map(each ->
                    new GaugeDataPointSnapshot(each.getValue(), common.merge(each.getKey()), null))
                .toList());
  }
}
