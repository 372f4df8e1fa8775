package io.probelet.cluster.care;

import io.probelet.cluster.webhook.WebhookChange;
import io.probelet.health.Condition;
import io.probelet.kube.event.EventCounts;
import java.util.List;

/** Takes what {@link ClusterCare} finds and does; for metrics. Called on its thread. */
public interface CareListener {
  /** {@link ClusterCare} begins. */
  default void records(EventCounts counts) {}

  /**
   * A round is over.
   *
   * @param conditions all conditions as they are now; empty when there is no ClusterHealth any more
   * @param constraints all constraints that are shown
   */
  void roundEnded(List<Condition> conditions, List<Condition> constraints);

  /**
   * A webhook configuration was made harmless, or would have been.
   *
   * @param changes at least one
   * @param dryRun whether nothing was written
   */
  void webhooksRemediated(String configuration, List<WebhookChange> changes, boolean dryRun);
}
