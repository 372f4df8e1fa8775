package io.probelet.web.metrics;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How each container is, from its first observation until its pod is removed. */
final class ContainerCollector implements MultiCollector {
  private static final MetricMetadata READY =
      new MetricMetadata("probelet_container_ready", "Whether the container is ready for traffic.");
  private static final MetricMetadata STARTED =
      new MetricMetadata(
          "probelet_container_started",
          "Whether the container runs and its startup probe has succeeded.");
  private static final MetricMetadata RESTARTS =
      new MetricMetadata("probelet_container_restarts", "Instances before the current one.");

  private final Labels common;
  private final Map<PodRef, Map<String, ContainerStatus>> pods = new ConcurrentHashMap<>();

  /** Creates a collector of series that all have these labels. */
  ContainerCollector(Labels common) {
    this.common = common;
  }

  void changed(ContainerStatus container) {
    pods.compute(container.pod(), (_, known) -> with(known == null ? Map.of() : known, container));
  }

  /** A new map each time: it is small and seldom changes, and a node has many pods. */
  private static Map<String, ContainerStatus> with(
      Map<String, ContainerStatus> known, ContainerStatus container) {
    Map<String, ContainerStatus> changed = new HashMap<>(known);
    changed.put(container.name(), container);
    return Map.copyOf(changed);
  }

  void removed(PodRef pod) {
    pods.remove(pod);
  }

  @Override
  public MetricSnapshots collect() {
    List<GaugeDataPointSnapshot> ready = new ArrayList<>();
    List<GaugeDataPointSnapshot> started = new ArrayList<>();
    List<CounterDataPointSnapshot> restarts = new ArrayList<>();
    for (Map<String, ContainerStatus> pod : pods.values()) {
      for (ContainerStatus container : pod.values()) {
        Labels labels =
            common.merge(
                Labels.of(
                    "container", container.name(),
                    "pod", container.pod().name(),
                    "namespace", container.pod().namespace(),
                    "pod_uid", container.pod().uid()));
        if (container.role() != ContainerRole.INIT) { // which ends well, and takes no traffic
          ready.add(new GaugeDataPointSnapshot(container.ready() ? 1 : 0, labels, null));
          started.add(new GaugeDataPointSnapshot(container.started() ? 1 : 0, labels, null));
        }
        restarts.add(
            new CounterDataPointSnapshot(container.observation().restartCount(), labels, null, 0));
      }
    }
    return MetricSnapshots.of(
        new GaugeSnapshot(READY, ready),
        new GaugeSnapshot(STARTED, started),
        new CounterSnapshot(RESTARTS, restarts));
  }
}
