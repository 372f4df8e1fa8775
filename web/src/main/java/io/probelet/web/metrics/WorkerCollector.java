package io.probelet.web.metrics;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.web.metrics.WorkerSeries.Durations;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The series of all workers: {@code prober_probe_total}, {@code prober_probe_duration_seconds}, how
 * the last probe went, when certificates expire, and the number of workers. Like the kubelet's they
 * appear with the first probe they count and go with their worker (W-7). Durations carry no pod
 * uid, so a pod and its successor share them.
 */
final class WorkerCollector implements MultiCollector {
  private static final MetricMetadata TOTAL =
      new MetricMetadata(
          "prober_probe",
          "Cumulative number of a liveness, readiness or startup probe for a container by result.");
  private static final MetricMetadata DURATION =
      new MetricMetadata(
          "prober_probe_duration_seconds", "Duration in seconds for a probe response.");
  private static final MetricMetadata RESULT =
      new MetricMetadata(
          "probelet_probe_result",
          "Result of the last probe: 1 successful, 0 failed, -1 not run, with the reason.");
  private static final MetricMetadata EXPIRY =
      new MetricMetadata(
          "probelet_probe_certificate_expiry_timestamp_seconds",
          "When the target's earliest expiring certificate expires, in seconds since 1970.");
  private static final MetricMetadata WORKERS =
      new MetricMetadata("probelet_workers", "Active probes, from their first container on.");

  private final Labels common;
  private final Map<ProbeSubject, WorkerSeries> series = new ConcurrentHashMap<>();

  /** Creates a collector of series that all have these labels. */
  WorkerCollector(Labels common) {
    this.common = common;
  }

  /** Finds the numbers of a worker; called on its loop only. */
  WorkerSeries of(ProbeSubject subject) {
    WorkerSeries known = series.get(subject);
    if (known != null) {
      return known;
    }
    WorkerSeries added = new WorkerSeries();
    series.put(subject, added);
    return added;
  }

  void remove(ProbeSubject subject) { // W-7: no series outlives its worker
    series.remove(subject);
  }

  @Override
  public MetricSnapshots collect() {
    List<CounterDataPointSnapshot> totals = new ArrayList<>();
    List<GaugeDataPointSnapshot> results = new ArrayList<>();
    List<GaugeDataPointSnapshot> expiries = new ArrayList<>();
    Map<Labels, Durations> durations = new LinkedHashMap<>();
    Map<ProbeKind, Integer> workers = new EnumMap<>(ProbeKind.class);
    series.forEach((subject, numbers) -> {
      Durations own = new Durations();
      numbers.addTo(own);
      addTotal(totals, subject, "successful", own.count());
      addTotal(totals, subject, "failed", numbers.failures());
      if (own.count() > 0) {
        numbers.addTo(durations.computeIfAbsent(durationLabels(subject), _ -> new Durations()));
      }
      numbers
          .last()
          .ifPresent(last ->
              results.add(
                  new GaugeDataPointSnapshot(
                      last.value(),
                      labels(subject).merge(Labels.of("reason", last.reason())),
                      null)));
      numbers
          .expiry()
          .ifPresent(
              seconds -> expiries.add(new GaugeDataPointSnapshot(seconds, labels(subject), null)));
      workers.merge(subject.kind(), 1, Integer::sum);
    });
    return MetricSnapshots.of(
        new CounterSnapshot(TOTAL, totals),
        new HistogramSnapshot(
            DURATION,
            durations.entrySet().stream()
                .map(each ->
                    new HistogramDataPointSnapshot(
                        each.getValue().buckets(),
                        each.getValue().sumSeconds(),
                        each.getKey(),
                        Exemplars.EMPTY,
                        0))
                .toList()),
        new GaugeSnapshot(RESULT, results),
        new GaugeSnapshot(EXPIRY, expiries),
        new GaugeSnapshot(
            WORKERS,
            List.of(ProbeKind.values()).stream()
                .map(kind ->
                    new GaugeDataPointSnapshot(
                        workers.getOrDefault(kind, 0),
                        common.merge(Labels.of("probe_type", kind.label())),
                        null))
                .toList()));
  }

  private void addTotal(
      List<CounterDataPointSnapshot> totals, ProbeSubject subject, String result, long count) {
    if (count > 0) {
      totals.add(
          new CounterDataPointSnapshot(
              count, labels(subject).merge(Labels.of("result", result)), null, 0));
    }
  }

  private Labels labels(ProbeSubject subject) {
    return durationLabels(subject).merge(Labels.of("pod_uid", subject.pod().uid()));
  }

  private Labels durationLabels(ProbeSubject subject) {
    return common.merge(
        Labels.of(
            "probe_type", subject.kind().label(),
            "container", subject.container(),
            "pod", subject.pod().name(),
            "namespace", subject.pod().namespace()));
  }
}
