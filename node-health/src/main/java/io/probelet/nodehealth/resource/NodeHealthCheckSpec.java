package io.probelet.nodehealth.resource;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.selector.LabelSelector;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A valid spec.
 *
 * @param unhealthyConditions conditions that make a node unhealthy, one is enough
 * @param floor how many nodes must be healthy before any is remediated
 * @param steps the remediations, first to last, at least one; all have a timeout if there are
 *     several
 * @param stormCooldown how long to wait after too many nodes were unhealthy; null for not at all
 * @param pauseRequests any entry pauses remediation
 * @param healthyDelay how long a node must be healthy before its remediation ends; negative until a
 *     person confirms it
 * @param neverReadyAfter the age from which a node without a Ready condition is unhealthy; null for
 *     never (RB-4)
 * @param settle how long no node may have become healthy or stopped being healthy before a
 *     remediation is created, from 0 to {@link #MAX_SETTLE}; 0 creates it at once (RB-6)
 * @param unhealthyWhen an expression over a node that makes it unhealthy as a condition does; null
 *     for none (RB-7)
 */
public record NodeHealthCheckSpec(
    LabelSelector selector,
    List<UnhealthyCondition> unhealthyConditions,
    HealthyFloor floor,
    List<RemediationStep> steps,
    @Nullable Duration stormCooldown,
    List<String> pauseRequests,
    Duration healthyDelay,
    @Nullable Duration neverReadyAfter,
    Duration settle,
    @Nullable CompiledExpression unhealthyWhen) {
  /** The default of settle (RB-6). */
  public static final Duration DEFAULT_SETTLE = Duration.ofSeconds(2);

  /** No remediation waits longer than this for its cluster to settle (RB-6). */
  public static final Duration MAX_SETTLE = Duration.ofSeconds(10);

  /** Copies the lists and checks that there is a step. */
  public NodeHealthCheckSpec {
    unhealthyConditions = List.copyOf(unhealthyConditions);
    steps = List.copyOf(steps);
    pauseRequests = List.copyOf(pauseRequests);
    if (steps.isEmpty()) {
      throw new IllegalArgumentException("a NodeHealthCheck without a remediation step");
    }
  }

  /**
   * A node condition that makes its node unhealthy after a duration.
   *
   * @param status the status to match, usually True, False or Unknown
   * @param duration how long it must last, zero or more
   */
  public record UnhealthyCondition(String type, String status, Duration duration) {
    /** The defaults of a resource without conditions (NHC-1). */
    public static final List<UnhealthyCondition> DEFAULTS =
        List.of(
            new UnhealthyCondition("Ready", "False", Duration.ofMinutes(5)),
            new UnhealthyCondition("Ready", "Unknown", Duration.ofMinutes(5)));
  }

  /**
   * One step of a remediation.
   *
   * @param timeout how long it may take before the next step, 60 s or more; null if it is the only
   *     step and has no limit
   */
  public record RemediationStep(ObjectRef template, @Nullable Duration timeout) {
    private static final String SUFFIX = "Template";

    /** {@return the kind of the resource created from the template } */
    public String remediationKind() {
      String kind = template.kind();
      return kind.endsWith(SUFFIX) ? kind.substring(0, kind.length() - SUFFIX.length()) : kind;
    }
  }

  /** The minimum number of healthy nodes for a remediation, set by one of two fields. */
  public sealed interface HealthyFloor {
    /**
     * Computes the minimum.
     *
     * @return the minimum number of healthy nodes; empty if more may be unhealthy than exist
     */
    OptionalInt required(int total);

    /** Minimum number of healthy nodes. */
    record MinHealthy(NodeCount count) implements HealthyFloor {
      @Override
      public OptionalInt required(int total) {
        return OptionalInt.of(count.of(total));
      }

      @Override
      public String toString() {
        return "minHealthy " + count;
      }
    }

    /** Maximum number of unhealthy nodes. */
    record MaxUnhealthy(NodeCount count) implements HealthyFloor {
      @Override
      public OptionalInt required(int total) {
        int tolerated = count.of(total);
        // as a minimum of healthy nodes
        return tolerated > total ? OptionalInt.empty() : OptionalInt.of(total - tolerated);
      }

      @Override
      public String toString() {
        return "maxUnhealthy " + count;
      }
    }
  }

  /** A number of nodes, as an integer or a percentage. */
  public sealed interface NodeCount {
    /**
     * Returns the number.
     *
     * @param total number of all nodes, zero or more
     * @return the number; a percentage is rounded up
     */
    int of(int total);

    /**
     * Returns the number as a maximum.
     *
     * @param total number of all nodes, zero or more
     * @return the number; a percentage is rounded down (ACT-78)
     */
    int atMost(int total);

    /**
     * An integer.
     *
     * @param nodes zero or more
     */
    record Nodes(int nodes) implements NodeCount {
      /** Checks the range. */
      public Nodes {
        if (nodes < 0) {
          throw new IllegalArgumentException("a number of nodes cannot be " + nodes);
        }
      }

      @Override
      public int of(int total) {
        return nodes;
      }

      @Override
      public int atMost(int total) {
        return nodes;
      }

      @Override
      public String toString() {
        return Integer.toString(nodes);
      }
    }

    /**
     * A percentage of all nodes.
     *
     * @param percent 0 to 100
     */
    record Percent(int percent) implements NodeCount {
      /** Checks the range. */
      public Percent {
        if (percent < 0 || percent > 100) {
          throw new IllegalArgumentException("a percentage of nodes cannot be " + percent + "%");
        }
      }

      @Override
      public int of(int total) {
        return Math.ceilDiv(total * percent, 100); // rounds up
      }

      @Override
      public int atMost(int total) {
        return total * percent / 100; // ACT-78: a maximum is never exceeded
      }

      @Override
      public String toString() {
        return percent + "%";
      }
    }
  }
}
