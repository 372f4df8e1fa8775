package io.probelet.controller.remediators;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.probelet.kube.event.EventCounts;
import io.probelet.remediator.controller.RemediatorListener;
import io.probelet.remediator.controller.RemediatorReport;
import io.probelet.remediator.controller.RemediatorReport.Standing;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.web.metrics.EventMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The remediators' metrics: by kind and phase, never by node. */
public final class RemediatorMetrics implements RemediatorListener {
  private static final double[] DURATIONS = {10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200};

  private static final int MAX_REASONS = 30;

  private final MeterRegistry registry;
  private final EventMetrics events;
  private final MultiGauge phases;
  private final MultiGauge kinds;
  private final MultiGauge held;
  private RemediatorReport shown = new RemediatorReport(List.of(), List.of());

  /** Begins to count. */
  public RemediatorMetrics(MeterRegistry registry) {
    this.registry = registry;
    events = new EventMetrics(registry, "remediation");
    phases =
        MultiGauge.builder("probelet_remediator_remediations")
            .description("Probelet's own remediations, by kind and phase.")
            .register(registry);
    held =
        MultiGauge.builder("probelet_remediator_held")
            .description("Probelet's own remediations that are held back, by reason.")
            .register(registry);
    kinds =
        MultiGauge.builder("probelet_remediator_kind_up")
            .description(
                "1 if the controller carries out remediations of this kind, 0 if it cannot.")
            .register(registry);
  }

  @Override
  public synchronized void stands(RemediatorReport report) {
    if (report.equals(shown)) {
      return;
    }
    shown = report;
    Map<RemediationKind, Map<RemediationPhase, Long>> counts =
        report.requests().stream()
            .collect(
                Collectors.groupingBy(
                    Standing::kind, Collectors.groupingBy(Standing::phase, Collectors.counting())));
    List<Row<?>> rows = new ArrayList<>();
    List<Row<?>> up = new ArrayList<>();
    for (var kind : report.kinds()) {
      Tags tags = Tags.of("kind", kind.kind().kind());
      up.add(Row.of(tags, kind.problem().isEmpty() ? 1 : 0));
      for (RemediationPhase phase : RemediationPhase.values()) {
        long count = counts.getOrDefault(kind.kind(), Map.of()).getOrDefault(phase, 0L);
        rows.add(Row.of(tags.and("phase", phase.label()), count));
      }
    }
    List<Row<?>> reasons = new ArrayList<>();
    report.requests().stream()
        .filter(standing -> standing.phase() == RemediationPhase.HELD)
        .collect(Collectors.groupingBy(RemediatorMetrics::reason, Collectors.counting()))
        .entrySet()
        .stream()
        .limit(MAX_REASONS)
        .forEach(each -> reasons.add(Row.of(Tags.of("reason", each.getKey()), each.getValue())));
    held.register(reasons, true);
    phases.register(rows, true);
    kinds.register(up, true);
  }

  private static String reason(Standing standing) {
    return standing.holdReason().isEmpty() ? "Other" : standing.holdReason();
  }

  @Override
  public void finished(RemediationKind kind, boolean succeeded, Duration duration) {
    DistributionSummary.builder("probelet_remediator_duration_seconds")
        .description("How long Probelet's own remediations took, by result.")
        .serviceLevelObjectives(DURATIONS)
        .tags("kind", kind.kind(), "result", succeeded ? "succeeded" : "failed")
        .register(registry)
        .record(duration.toNanos() / 1e9);
  }

  @Override
  public void acted(RemediationKind kind, String action, boolean done) {
    Counter.builder("probelet_remediator_actions_total")
        .description("Actions of remediators, by whether the API server accepted them.")
        .tags("kind", kind.kind(), "action", action, "result", done ? "done" : "refused")
        .register(registry)
        .increment();
  }

  @Override
  public void records(EventCounts counts) {
    events.show(counts);
  }
}
