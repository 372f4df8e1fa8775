package io.probelet.cluster.care;

import io.probelet.checks.condition.ThresholdPolicy;
import io.probelet.cluster.webhook.WebhookPolicy;
import io.probelet.document.selector.LabelSelector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the {@code ClusterHealth} resource asks for, with the defaults of {@link
 * ClusterHealthReader} for what it leaves out (CH-25). Its fields and those of its parts are the
 * schema: the definition of the resource and the reader have the same ones.
 *
 * @param syncPeriod from one round to the next, at least a second
 * @param thresholds per condition type, how long it is Progressing before it is False
 * @param minimumNodes how many nodes must be registered; 0 by default
 * @param absentConditions types that make no sense here and are left out (CH-46); none by default
 * @param systemPodLabels labels that all of the cluster's own pods carry, by which webhooks are
 *     checked (CH-32); none by default
 * @param gardener what is peculiar to a cluster of Gardener's; null elsewhere
 */
public record ClusterHealthSpec(
    Duration syncPeriod,
    Map<String, Duration> thresholds,
    int minimumNodes,
    List<String> absentConditions,
    List<Components> components,
    List<Contribution> contributions,
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
    caSecrets = List.copyOf(caSecrets);
    systemPodLabels = Map.copyOf(systemPodLabels);
  }

  /** What is done about webhooks that can hold up the cluster (CH-34). */
  public enum WebhookRemediationMode {
    /** Nothing. */
    DISABLED("Disabled"),
    /** What would change is reported. */
    DRY_RUN("DryRun"),
    /** They are made harmless. */
    ENABLED("Enabled");

    private final String word;

    WebhookRemediationMode(String word) {
      this.word = word;
    }

    /** {@return the word that the resource has for it} */
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

    /** {@return the kind as resources name it} */
    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * Objects that count to a condition type.
   *
   * @param kinds which kinds; all three by default
   * @param namespaces where; all by default
   * @param labelSelector which of them; all by default
   * @param required names that must be among them
   * @param minimum how many there must be (CH-46); 0 by default
   * @param rolloutThreshold how long a rollout may take before it is a failure; null means that
   *     rollouts are not checked (CH-24)
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
   * @param namespaces where; all by default
   * @param heartbeat what shows that they are still kept up; null to believe so
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
   * A Lease that a contributor renews for as long as it is there (CH-44).
   *
   * @param staleAfter how long without a renewal what it reports still counts; 5 minutes by default
   */
  public record Heartbeat(String namespace, String name, Duration staleAfter) {}

  /**
   * Secrets with CA certificates (CH-35).
   *
   * @param namespaces where; all by default
   * @param labelSelector which of them; all by default
   * @param names which of them; all by default
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
   * What is peculiar to clusters of Gardener's: ManagedResources are checked, its labels are known,
   * and its status label is written.
   *
   * @param namespaces where they are; those of the rule by default (CH-27)
   * @param progressingThreshold how long a ManagedResource may be rolling out before it is stuck
   *     (CH-43); 1 hour by default
   * @param prometheusHealthChecks whether Prometheuses are asked for {@code healthcheck:up}
   *     (CH-56); not by default
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
