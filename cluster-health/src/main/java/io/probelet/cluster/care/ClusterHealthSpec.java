package io.probelet.cluster.care;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.probelet.checks.condition.ThresholdPolicy;
import io.probelet.cluster.webhook.WebhookPolicy;
import io.probelet.health.GoDuration;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the {@code ClusterHealth} resource asks for (CH-25).
 *
 * @param syncPeriod from one round to the next, at least a second
 * @param thresholds per condition type, how long it is Progressing before it is False
 * @param minimumNodes how many nodes must be registered; 0 by default
 * @param absentConditions types that make no sense here and are left out (CH-46); none by default
 * @param components which objects count to which condition type
 * @param contributions whose conditions are taken over
 * @param webhookRemediation what is done about problematic webhooks
 * @param caSecrets where the CA certificates to watch are
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
    @Nullable Gardener gardener) {

  private static final Duration DEFAULT_PERIOD = Duration.ofMinutes(1);
  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);

  private static final JsonMapper JSON =
      JsonMapper.builder()
          // Unknown fields are pruned by the API server; those of a newer version are not ours.
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addModule(new SimpleModule().addDeserializer(Duration.class, new GoDurations()))
          .build();

  /** Fills in what the resource leaves out. */
  public ClusterHealthSpec {
    syncPeriod = Objects.requireNonNullElse(syncPeriod, DEFAULT_PERIOD);
    if (syncPeriod.compareTo(SHORTEST_PERIOD) < 0) {
      throw new IllegalArgumentException(
          "spec.syncPeriod is " + GoDuration.format(syncPeriod) + "; use 1s or more");
    }
    // The policy says what is wrong with a threshold.
    thresholds = new ThresholdPolicy(thresholds == null ? Map.of() : thresholds).thresholds();
    if (minimumNodes < 0) {
      throw new IllegalArgumentException(
          "spec.minimumNodes is " + minimumNodes + "; use 0 or more");
    }
    absentConditions = absentConditions == null ? List.of() : List.copyOf(absentConditions);
    components = components == null ? List.of(Components.KUBE_SYSTEM) : List.copyOf(components);
    contributions = contributions == null ? List.of() : List.copyOf(contributions);
    webhookRemediation =
        Objects.requireNonNullElse(webhookRemediation, WebhookRemediationMode.DISABLED);
    caSecrets = caSecrets == null ? List.of() : List.copyOf(caSecrets);
  }

  /** What is done about webhooks that can hold up the cluster (CH-34). */
  public enum WebhookRemediationMode {
    /** Nothing. */
    @JsonProperty("Disabled")
    DISABLED,
    /** What would change is told. */
    @JsonProperty("DryRun")
    DRY_RUN,
    /** They are made harmless. */
    @JsonProperty("Enabled")
    ENABLED
  }

  /** A kind of component. */
  public enum ComponentKind {
    /** apps/v1 Deployment. */
    @JsonProperty("Deployment")
    DEPLOYMENT,
    /** apps/v1 DaemonSet. */
    @JsonProperty("DaemonSet")
    DAEMON_SET,
    /** apps/v1 StatefulSet. */
    @JsonProperty("StatefulSet")
    STATEFUL_SET
  }

  /**
   * Objects that count to a condition type.
   *
   * @param conditionType which condition they count to
   * @param kinds which kinds; all three by default
   * @param namespaces where; all by default
   * @param labelSelector which of them; all by default
   * @param required names that must be among them
   * @param minimum how many there must be (CH-46); 0 by default
   * @param rolloutThreshold how long a rollout may take before it is a failure; null means that
   *     rollouts are not looked at (CH-24)
   * @param checks named checks that count as well
   */
  public record Components(
      String conditionType,
      List<ComponentKind> kinds,
      List<String> namespaces,
      @Nullable LabelSelector labelSelector,
      List<String> required,
      int minimum,
      @Nullable Duration rolloutThreshold,
      List<String> checks) {

    private static final Components KUBE_SYSTEM =
        new Components(
            CareConditions.SYSTEM_COMPONENTS_HEALTHY,
            List.of(),
            List.of("kube-system"),
            null,
            List.of(),
            0,
            null,
            List.of());

    /** Fills in what the resource leaves out. */
    public Components {
      if (conditionType == null || conditionType.isBlank()) {
        throw new IllegalArgumentException(
            "spec.components[].conditionType is missing; name one, for example "
                + CareConditions.SYSTEM_COMPONENTS_HEALTHY);
      }
      if (minimum < 0) {
        throw new IllegalArgumentException(
            "spec.components[].minimum is " + minimum + "; use 0 or more");
      }
      kinds =
          kinds == null || kinds.isEmpty() ? List.of(ComponentKind.values()) : List.copyOf(kinds);
      namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
      required = required == null ? List.of() : List.copyOf(required);
      checks = checks == null ? List.of() : List.copyOf(checks);
    }
  }

  /**
   * Resources whose controllers report health conditions of their own (CH-26).
   *
   * @param apiVersion of the resources, for example {@code example.org/v1}
   * @param kind of the resources
   * @param namespaces where; all by default
   * @param conditionTypes which of their conditions are taken over
   * @param heartbeat what shows that they are still kept up; null to believe so
   */
  public record Contribution(
      String apiVersion,
      String kind,
      List<String> namespaces,
      List<String> conditionTypes,
      @Nullable Heartbeat heartbeat) {

    /** Fills in what the resource leaves out. */
    public Contribution {
      namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
      conditionTypes = conditionTypes == null ? List.of() : List.copyOf(conditionTypes);
    }
  }

  /**
   * A Lease that a contributor renews for as long as it is there (CH-44).
   *
   * @param namespace of the Lease
   * @param name of the Lease
   * @param staleAfter how long without a renewal what it reports still counts; 5 minutes by default
   */
  public record Heartbeat(String namespace, String name, Duration staleAfter) {
    private static final Duration STALE_AFTER = Duration.ofMinutes(5);

    /** Fills in what the resource leaves out. */
    public Heartbeat {
      if (namespace == null || namespace.isBlank() || name == null || name.isBlank()) {
        throw new IllegalArgumentException(
            "spec.contributions[].heartbeat names no Lease; give its namespace and name");
      }
      staleAfter = Objects.requireNonNullElse(staleAfter, STALE_AFTER);
      if (!staleAfter.isPositive()) {
        throw new IllegalArgumentException(
            "spec.contributions[].heartbeat.staleAfter is "
                + GoDuration.format(staleAfter)
                + "; use more than 0");
      }
    }
  }

  /**
   * Secrets with CA certificates (CH-35).
   *
   * @param namespaces where; all by default
   * @param labelSelector which of them; all by default
   * @param names which of them; all by default
   */
  public record CaSecrets(
      List<String> namespaces, @Nullable LabelSelector labelSelector, List<String> names) {

    /** Fills in what the resource leaves out. */
    public CaSecrets {
      namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
      names = names == null ? List.of() : List.copyOf(names);
    }

    boolean includes(String name) {
      return names.isEmpty() || names.contains(name);
    }
  }

  /**
   * What is peculiar to clusters of Gardener's: ManagedResources are judged, its labels are known,
   * and its status label is written.
   *
   * @param rule to which conditions ManagedResources count
   * @param namespaces where they are; all by default
   * @param progressingThreshold how long a ManagedResource may be rolling out before it is stuck
   *     (CH-43); 1 hour by default
   */
  public record Gardener(
      ManagedResourceRule rule, List<String> namespaces, Duration progressingThreshold) {
    private static final Duration PROGRESSING = Duration.ofHours(1);

    /** Fills in what the resource leaves out. */
    public Gardener {
      rule = Objects.requireNonNullElse(rule, ManagedResourceRule.SHOOT);
      progressingThreshold = Objects.requireNonNullElse(progressingThreshold, PROGRESSING);
      if (progressingThreshold.isNegative()) {
        throw new IllegalArgumentException(
            "spec.gardener.progressingThreshold is "
                + GoDuration.format(progressingThreshold)
                + "; use 0 or more");
      }
      namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
    }
  }

  WebhookPolicy webhookPolicy() {
    return gardener == null ? WebhookPolicy.DEFAULT : WebhookPolicy.GARDENER;
  }

  ThresholdPolicy thresholdPolicy() {
    return new ThresholdPolicy(thresholds);
  }

  /**
   * Reads the {@code spec} of a resource.
   *
   * @param spec as the API server gives it; missing or null means all defaults
   * @return the wishes
   * @throws IllegalArgumentException if a value cannot be meant so; the message names the field
   */
  public static ClusterHealthSpec read(JsonNode spec) {
    try {
      return JSON.treeToValue(
          spec.isObject() ? spec : JSON.createObjectNode(), ClusterHealthSpec.class);
    } catch (JsonProcessingException e) {
      Throwable cause = e.getCause();
      throw new IllegalArgumentException(
          cause instanceof IllegalArgumentException ? cause.getMessage() : e.getOriginalMessage(),
          e);
    }
  }

  /** Durations as Kubernetes writes them, for example {@code 1m30s}. */
  private static final class GoDurations extends StdDeserializer<Duration> {
    private static final long serialVersionUID = 1;

    GoDurations() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return GoDuration.parse(parser.getText());
    }
  }
}
