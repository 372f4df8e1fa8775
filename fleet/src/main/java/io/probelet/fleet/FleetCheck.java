package io.probelet.fleet;

import io.probelet.web.api.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A NodeHealthCheck.
 *
 * @param phase Disabled, Paused, Remediating or Enabled, as its status says; empty if it has none
 * @param problem why its spec cannot be used; empty if it can
 * @param nodes how many nodes it selects, counted here
 * @param healthy how many of them are healthy, counted here
 * @param required how many have to be before anything begins; null if that cannot be said
 * @param floor the same as the spec says it, as {@code minHealthy 51%}
 * @param steps what is done to a node, first to last
 * @param unhealthyNodes the nodes it calls unhealthy, by name
 * @param reported when its status was changed last; null if never
 */
public record FleetCheck(
    String name,
    String phase,
    String reason,
    String problem,
    int nodes,
    int healthy,
    @Nullable Integer required,
    String floor,
    List<String> pauseRequests,
    List<Step> steps,
    List<FleetCondition> conditions,
    List<String> unhealthyNodes,
    @Nullable Instant reported) {
  /** Keeps unmodifiable copies. */
  public FleetCheck {
    pauseRequests = List.copyOf(pauseRequests);
    steps = List.copyOf(steps);
    conditions = List.copyOf(conditions);
    unhealthyNodes = List.copyOf(unhealthyNodes);
  }

  /** {@return how bad it is} */
  public Severity severity() {
    if (!problem.isEmpty() || phase.equals("Disabled")) {
      return Severity.UNHEALTHY;
    }
    return phase.equals("Paused") || healthy < nodes ? Severity.WARNING : Severity.HEALTHY;
  }

  /**
   * A step of escalation.
   *
   * @param timeout after which the next step's turn comes; null for never
   */
  public record Step(String kind, String template, @Nullable Duration timeout) {}
}
