package io.probelet.cluster.care;

import io.probelet.checks.condition.ThresholdPolicy;
import io.probelet.cluster.webhook.WebhookPolicy;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.selector.LabelSelector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a {@code ClusterHealth}, with the defaults of {@link ClusterHealthReader} (CH-25).
 * Its fields and those of its parts are the schema: the CRD and the reader have the same ones.
 *
 * @param syncPeriod time between rounds, at least a second
 * @param thresholds per condition type, how long it is Progressing before it is False
 * @param minimumNodes how many nodes must be registered; 0 by default
 * @param absentConditions types that do not apply to this cluster (CH-46); none by default
 * @param systemPodLabels labels that all system pods carry, used to check webhooks (CH-32); none by
 *     default
 * @param gardener settings for Gardener clusters; null elsewhere
 */
public record ClusterHealthSpec(
    Duration syncPeriod,
    Map<String, Duration> thresholds,
    int minimumNodes,
    List<String> absentConditions,
    List<Components> components,
    List<Contribution> contributions,
    List<ExpressionCheck> expressions,
    WebhookRemediationMode webhookRemediation,
    List<CaSecrets> caSecrets,
    Map<String, String> systemPodLabels,
    @Nullable Gardener gardener) {

  /** Keeps unmodifiable copies of the collections. */
  public ClusterHealthSpec {
    thresholds = Map.copyOf(thresholds);
    absentConditions = List.copyOf(absentConditions);
    components = List.copyOf(components);
    contributions = List.copyOf(contributions);
    expressions = List.copyOf(expressions);
    caSecrets = List.copyOf(caSecrets);
    systemPodLabels = Map.copyOf(systemPodLabels);
  }

  /** How to handle webhooks that can block the cluster (CH-34). */
  public enum WebhookRemediationMode {
    /** Nothing. */
    DISABLED("Disabled"),
    /** Reports what would change. */
    DRY_RUN("DryRun"),
    /** Changes them so that they cannot block. */
    ENABLED("Enabled");

    private final String word;

    WebhookRemediationMode(String word) {
      this.word = word;
    }

    /** {@return the word used in the resource} */
    @Override
    public String toString() {
      return word;
    }
  }

  /** A kind of component. */
  public enum ComponentKind {
    /** apps/v1 Deployment. */
    DEPLOYMENT("Deployment"),
    /** apps/v1 DaemonSet. */
    DAEMON_SET("DaemonSet"),
    /** apps/v1 StatefulSet. */
    STATEFUL_SET("StatefulSet");

    private final String word;

    ComponentKind(String word) {
      this.word = word;
    }

    /** {@return the kind's name in resources} */
    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * Objects that determine a condition type.
   *
   * @param kinds the kinds; all three by default
   * @param namespaces the namespaces; all by default
   * @param labelSelector selects objects; all by default
   * @param required names that must exist
   * @param minimum minimum number of objects (CH-46); 0 by default
   * @param rolloutThreshold how long a rollout may take before it counts as failed; null to skip
   *     rollouts (CH-24)
   */
  public record Components(
      String conditionType,
      List<ComponentKind> kinds,
      List<String> namespaces,
      LabelSelector labelSelector,
      List<String> required,
      int minimum,
      @Nullable Duration rolloutThreshold,
      List<String> checks) {

    /** Keeps unmodifiable copies of the lists. */
    public Components {
      kinds = List.copyOf(kinds);
      namespaces = List.copyOf(namespaces);
      required = List.copyOf(required);
      checks = List.copyOf(checks);
    }
  }

  /**
   * Resources whose controllers report health conditions of their own (CH-26).
   *
   * @param apiVersion of the resources, for example {@code example.org/v1}
   * @param namespaces the namespaces; all by default
   * @param heartbeat the controller's Lease; null to trust the conditions without one
   */
  public record Contribution(
      String apiVersion,
      String kind,
      List<String> namespaces,
      List<String> conditionTypes,
      @Nullable Heartbeat heartbeat) {

    /** Keeps unmodifiable copies of the lists. */
    public Contribution {
      namespaces = List.copyOf(namespaces);
      conditionTypes = List.copyOf(conditionTypes);
    }
  }

  /**
   * The Lease that a contributor renews while it runs (CH-44).
   *
   * @param staleAfter how long its conditions count without a renewal; 5 minutes by default
   */
  public record Heartbeat(String namespace, String name, Duration staleAfter) {}

  /**
   * Objects of any kind, each healthy while an expression over it is true (CH-57).
   *
   * @param apiVersion of the objects, for example {@code example.org/v1}
   * @param namespaces the namespaces; all by default
   * @param labelSelector selects objects; all by default
   * @param healthyWhen over {@link ObjectExpression#DECLARED}
   */
  public record ExpressionCheck(
      String conditionType,
      String apiVersion,
      String kind,
      List<String> namespaces,
      LabelSelector labelSelector,
      CompiledExpression healthyWhen) {

    /** Keeps an unmodifiable copy of the list. */
    public ExpressionCheck {
      namespaces = List.copyOf(namespaces);
    }
  }

  /**
   * Secrets with CA certificates (CH-35).
   *
   * @param namespaces the namespaces; all by default
   * @param labelSelector selects Secrets; all by default
   * @param names names of Secrets; all by default
   */
  public record CaSecrets(
      List<String> namespaces, LabelSelector labelSelector, List<String> names) {

    /** Keeps unmodifiable copies of the lists. */
    public CaSecrets {
      namespaces = List.copyOf(namespaces);
      names = List.copyOf(names);
    }

    boolean includes(String name) {
      return names.isEmpty() || names.contains(name);
    }
  }

  /**
   * Settings for Gardener clusters: ManagedResources are checked, Gardener's labels are recognized,
   * and its status label is written.
   *
   * @param namespaces namespaces of ManagedResources; those of the rule by default (CH-27)
   * @param progressingThreshold how long a ManagedResource may be rolling out before it counts as
   *     stuck (CH-43); 1 hour by default
   * @param prometheusHealthChecks whether to query Prometheus for {@code healthcheck:up} (CH-56);
   *     not by default
   */
  public record Gardener(
      ManagedResourceRule rule,
      List<String> namespaces,
      Duration progressingThreshold,
      boolean prometheusHealthChecks) {
    /** Keeps an unmodifiable copy of the list. */
    public Gardener {
      namespaces = List.copyOf(namespaces);
    }
  }

  WebhookPolicy webhookPolicy() {
    return (gardener == null ? WebhookPolicy.DEFAULT : WebhookPolicy.GARDENER)
        .withSystemPodLabels(systemPodLabels);
  }

  ThresholdPolicy thresholdPolicy() {
    return new ThresholdPolicy(thresholds);
  }
}
