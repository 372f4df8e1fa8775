package io.probelet.nodehealth.resource;

import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The status. All times are whole seconds, as stored by the API.
 *
 * @param observedNodes number of selected nodes; 0 while disabled
 * @param healthyNodes number of selected nodes that are healthy and have no remediation; 0 while
 *     disabled
 * @param phase in one word
 * @param reason in one sentence
 * @param lastUpdateTime time of the last change of another field; null if never
 */
public record NodeHealthCheckStatus(
    int observedNodes,
    int healthyNodes,
    List<UnhealthyNode> unhealthyNodes,
    List<StatusCondition> conditions,
    Phase phase,
    String reason,
    @Nullable Instant lastUpdateTime) {
  /** Before the first plan. */
  public static final NodeHealthCheckStatus NONE =
      new NodeHealthCheckStatus(0, 0, List.of(), List.of(), Phase.ENABLED, "", null);

  /** Keeps unmodifiable copies of the lists. */
  public NodeHealthCheckStatus {
    unhealthyNodes = List.copyOf(unhealthyNodes);
    conditions = List.copyOf(conditions);
  }

  /** The state in one word. */
  public enum Phase {
    /** Disabled; the Disabled condition has the reason. */
    DISABLED("Disabled"),
    /** A pause was requested. */
    PAUSED("Paused"),
    /** A node has a remediation. */
    REMEDIATING("Remediating"),
    /** It watches. */
    ENABLED("Enabled");

    private final String label;

    Phase(String label) {
      this.label = label;
    }

    /** {@return the word in the resource} */
    public String label() {
      return label;
    }
  }

  /**
   * An unhealthy node, or one whose remediation has not ended yet.
   *
   * @param remediations its remediations, first to last
   * @param conditionsHealthyTimestamp since when its conditions are healthy again; null if they are
   *     not
   * @param healthyDelayed whether only the healthy delay keeps the node in the list
   */
  public record UnhealthyNode(
      String name,
      List<TrackedRemediation> remediations,
      @Nullable Instant conditionsHealthyTimestamp,
      boolean healthyDelayed) {
    /** Keeps an unmodifiable copy of the remediations. */
    public UnhealthyNode {
      remediations = List.copyOf(remediations);
    }
  }

  /**
   * A remediation of a node.
   *
   * @param timedOut when it was given up; null if it was not
   * @param templateName the name of its template; null in resources of older versions
   */
  public record TrackedRemediation(
      ObjectRef resource,
      String uid,
      Instant started,
      @Nullable Instant timedOut,
      @Nullable String templateName) {
    /**
     * Returns whether a step created this.
     *
     * @return true if kind and template are the step's
     */
    public boolean isFor(RemediationStep step) {
      return resource.kind().equals(step.remediationKind())
          && resource.apiVersion().equals(step.template().apiVersion())
          && (templateName == null || templateName.equals(step.template().name()));
    }
  }

  /**
   * A condition in the usual form.
   *
   * @param active whether its status is True; False otherwise
   * @param reason one word in UpperCamelCase
   * @param lastTransitionTime time of the last change of its status
   */
  public record StatusCondition(
      String type, boolean active, String reason, String message, Instant lastTransitionTime) {
    /** It cannot work. */
    public static final String DISABLED = "Disabled";

    /** Too many nodes are unhealthy. */
    public static final String STORM_ACTIVE = "StormActive";

    /** Enough nodes are healthy again, but not for long enough. */
    public static final String STORM_COOLDOWN_ACTIVE = "StormCooldownActive";
  }

  /**
   * Finds a condition.
   *
   * @return the condition; empty if it was never set
   */
  public Optional<StatusCondition> condition(String type) {
    return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
  }

  /**
   * Returns whether a condition is True.
   *
   * @return false also if it was never set
   */
  public boolean isActive(String type) {
    return condition(type).map(StatusCondition::active).orElse(false);
  }

  /**
   * Finds a node's entry.
   *
   * @return the entry; empty if the node is not listed
   */
  public Optional<UnhealthyNode> unhealthyNode(String name) {
    return unhealthyNodes.stream().filter(node -> node.name().equals(name)).findFirst();
  }

  /**
   * Sets a condition; its transition time moves only when its status does.
   *
   * @param reason one word in UpperCamelCase
   * @param now when, in whole seconds
   * @return a copy with it
   */
  public NodeHealthCheckStatus withCondition(
      String type, boolean active, String reason, String message, Instant now) {
    List<StatusCondition> changed = new ArrayList<>(conditions);
    Instant since =
        condition(type)
            .filter(old -> old.active() == active)
            .map(StatusCondition::lastTransitionTime)
            .orElse(now);
    StatusCondition condition = new StatusCondition(type, active, reason, message, since);
    int at = changed.indexOf(condition(type).orElse(null));
    if (at < 0) {
      changed.add(condition);
    } else {
      changed.set(at, condition);
    }
    return new NodeHealthCheckStatus(
        observedNodes, healthyNodes, unhealthyNodes, changed, phase, reason(), lastUpdateTime);
  }
}
