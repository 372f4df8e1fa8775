package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of the cluster.
 *
 * @param cordoned whether it takes no new pods
 * @param taints as {@code key=value:Effect}, at most 32
 * @param conditions its conditions, at most 64
 * @param state how it is, in one word
 * @param problem what speaks against it, as {@code Ready=Unknown}; empty if nothing does
 * @param since since when; null if nothing speaks against it
 * @param unhealthyAt when a NodeHealthCheck will call it unhealthy if nothing changes; null for
 *     never, and once it is
 */
public record FleetNode(
    String name,
    Instant created,
    Map<String, String> labels,
    boolean cordoned,
    List<String> taints,
    List<FleetCondition> conditions,
    State state,
    String problem,
    @Nullable Instant since,
    @Nullable Instant unhealthyAt,
    List<String> checks) {
  /** Keeps unmodifiable copies. */
  public FleetNode {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    conditions = List.copyOf(conditions);
    checks = List.copyOf(checks);
  }

  /** The states of a node, worst first. */
  public enum State {
    /** It is unhealthy, and its remediation is held back; {@link FleetWait} has the reason. */
    WAITING("Waiting"),
    /** It is not Ready or a NodeHealthCheck calls it unhealthy, and no remediation runs. */
    UNHEALTHY("Unhealthy"),
    /** Its remediation is in progress. */
    REMEDIATING("Remediating"),
    /** A condition matches a NodeHealthCheck's and has not lasted long enough yet. */
    SOON("Soon"),
    /** It is Ready, but a condition reports a problem. */
    PROBLEM("Problem"),
    /** It has no Ready condition yet. */
    UNREPORTED("Unreported"),
    /** It has no problem. */
    HEALTHY("Healthy");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /** {@return the word for it, such as Waiting} */
    @JsonValue
    public String label() {
      return label;
    }
  }

  /** {@return the value of a label; empty if it has none} */
  public String label(String label) {
    return labels.getOrDefault(label, "");
  }
}
