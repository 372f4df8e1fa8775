package io.probelet.controller.clusterhealth;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.probelet.cluster.care.CareListener;
import io.probelet.cluster.webhook.WebhookChange;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.kube.event.EventCounts;
import io.probelet.web.metrics.EventMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Conditions and constraints of the cluster as metrics: 1 for the status they have, else 0. */
final class ClusterHealthMetrics {
  private static final String API_SERVER = "APIServerAvailable";

  private final MeterRegistry registry;
  private final EventMetrics events;
  private final MultiGauge conditions;
  private final MultiGauge constraints;
  private volatile @Nullable String problem;

  ClusterHealthMetrics(MeterRegistry registry) {
    this.registry = registry;
    events = new EventMetrics(registry, "clusterhealth");
    conditions =
        MultiGauge.builder("probelet_condition_status")
            .description("ClusterHealth conditions; 1 for the current status.")
            .register(registry);
    constraints =
        MultiGauge.builder("probelet_constraint_status")
            .description("ClusterHealth constraints; 1 for the current status.")
            .register(registry);
  }

  /** Begins to show what is found in a term. */
  OfTerm begin() {
    return new OfTerm();
  }

  /** {@return why the API server is not available to who leads here; empty if nobody does} */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  private void show(List<Condition> said, List<Condition> held) {
    problem =
        said.stream()
            .filter(condition -> condition.type().equals(API_SERVER))
            .filter(condition -> condition.status() == ConditionStatus.FALSE)
            .map(Condition::message)
            .findFirst()
            .orElse(null);
    conditions.register(rows("condition", said), true);
    constraints.register(rows("constraint", held), true);
  }

  /** Shows what one term finds. A round may outlast the term: what it reports then is not shown. */
  final class OfTerm implements CareListener, AutoCloseable {
    private boolean over;

    private OfTerm() {}

    @Override
    public void records(EventCounts counts) {
      events.show(counts);
    }

    @Override
    public void roundEnded(List<Condition> said, List<Condition> held) {
      synchronized (ClusterHealthMetrics.this) {
        if (!over) {
          show(said, held);
        }
      }
    }

    @Override
    public void webhooksRemediated(
        String configuration, List<WebhookChange> changes, boolean dryRun) {
      Counter.builder("probelet_webhooks_remediated_total")
          .description("Webhook configurations changed so that they cannot block the cluster.")
          .tags("configuration", configuration, "dry_run", Boolean.toString(dryRun))
          .register(registry)
          .increment();
    }

    /** Shows nothing any more, as somebody else leads. */
    @Override
    public void close() {
      synchronized (ClusterHealthMetrics.this) {
        over = true;
        show(List.of(), List.of());
      }
    }
  }

  private static List<Row<?>> rows(String label, List<Condition> all) {
    List<Row<?>> rows = new ArrayList<>();
    for (Condition condition : all) {
      for (ConditionStatus status : ConditionStatus.values()) {
        rows.add(
            Row.of(
                Tags.of(label, condition.type(), "status", status.toString()),
                condition.status() == status ? 1 : 0));
      }
    }
    return rows;
  }
}
