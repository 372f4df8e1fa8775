package io.probelet.cluster.care;

import io.probelet.cluster.webhook.WebhookChange;
import io.probelet.health.Condition;
import io.probelet.kube.event.EventCounts;
import java.util.List;

/** Receives the results and actions of {@link ClusterCare}, for metrics. Called on its thread. */
public interface CareListener {
  /** {@link ClusterCare} begins. */
  default void records(EventCounts counts) {}

  /**
   * Called after each round.
   *
   * @param conditions all current conditions; empty after the ClusterHealth was deleted
   * @param constraints all constraints that are shown
   */
  void roundEnded(List<Condition> conditions, List<Condition> constraints);

  /**
   * Called after a webhook configuration was remediated, or would have been.
   *
   * @param changes at least one
   * @param dryRun whether nothing was written
   */
  void webhooksRemediated(String configuration, List<WebhookChange> changes, boolean dryRun);
}
