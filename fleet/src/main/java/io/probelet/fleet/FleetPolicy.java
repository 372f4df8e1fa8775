package io.probelet.fleet;

import io.probelet.web.api.Severity;
import java.util.List;

/**
 * A RemediationPolicy.
 *
 * @param problem why its spec cannot be used, so that nothing begins; empty if it can
 * @param limits what it limits, each in a few words, as {@code maxNodes 2}
 * @param paused whether nothing may begin
 * @param dryRun whether everything is decided and nothing done
 * @param nodes how many nodes it selects, counted here
 * @param remediating how many of them have a remediation, counted here
 * @param lastHour how many remediations began within the last hour, as its status says
 */
public record FleetPolicy(
    String name,
    String problem,
    List<String> limits,
    boolean paused,
    boolean dryRun,
    int nodes,
    int remediating,
    int held,
    int lastHour) {
  /** Keeps an unmodifiable copy. */
  public FleetPolicy {
    limits = List.copyOf(limits);
  }

  /** {@return how bad it is: a policy that holds nodes back is a warning} */
  public Severity severity() {
    if (!problem.isEmpty()) {
      return Severity.UNHEALTHY;
    }
    return paused || dryRun || held > 0 ? Severity.WARNING : Severity.HEALTHY;
  }
}
