package io.probelet.nodehealth.resource;

import io.probelet.document.selector.LabelSelector;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a user asks for; valid.
 *
 * @param unhealthyConditions what makes a node unhealthy, one is enough
 * @param floor how many nodes must be healthy before any is remediated
 * @param steps how to remediate, first to last, at least one; all of them have a timeout when there
 *     are several
 * @param stormCooldown how long to wait after too many nodes were unhealthy; null for not at all
 * @param pauseRequests who wants remediation paused; any entry pauses
 * @param healthyDelay how long a node must be healthy before its remediation ends; negative for
 *     until a person confirms
 * @param neverReadyAfter the age at which a node that never had a Ready condition is unhealthy;
 *     null for never (RB-4)
 * @param settle how long no node may have become healthy or stopped being healthy before a
 *     remediation is created, from 0 to {@link #MAX_SETTLE}; 0 creates it at once (RB-6)
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
    Duration settle) {
  /** How long nothing must change unless a NodeHealthCheck says otherwise (RB-6). */
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
   * A node condition that makes its node unhealthy when it has lasted.
   *
   * @param status the status to watch for, usually True, False or Unknown
   * @param duration how long it must have lasted, zero or more
   */
  public record UnhealthyCondition(String type, String status, Duration duration) {
    /** What holds when a resource names none (NHC-1). */
    public static final List<UnhealthyCondition> DEFAULTS =
        List.of(
            new UnhealthyCondition("Ready", "False", Duration.ofMinutes(5)),
            new UnhealthyCondition("Ready", "Unknown", Duration.ofMinutes(5)));
  }

  /**
   * One way to remediate a node.
   *
   * @param timeout how long it may try before the next step's turn, 60 s or more; null if it is the
   *     only step and may try for ever
   */
  public record RemediationStep(ObjectRef template, @Nullable Duration timeout) {
    private static final String SUFFIX = "Template";

    /** {@return the kind of the resource made from the template } */
    public String remediationKind() {
      String kind = template.kind();
      return kind.endsWith(SUFFIX) ? kind.substring(0, kind.length() - SUFFIX.length()) : kind;
    }
  }

  /**
   * How many nodes must be healthy before an unhealthy one is remediated; a user gives one of two.
   */
  public sealed interface HealthyFloor {
    /**
     * Computes the floor.
     *
     * @return the least number of healthy nodes; empty if more may be unhealthy than there are
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
        // as a floor
        return tolerated > total ? OptionalInt.empty() : OptionalInt.of(total - tolerated);
      }

      @Override
      public String toString() {
        return "maxUnhealthy " + count;
      }
    }
  }

  /** A number of nodes, given as such or as a part of all. */
  public sealed interface NodeCount {
    /**
     * Turns it into a number.
     *
     * @param total how many nodes there are, zero or more
     * @return how many of them are meant; a percentage is rounded up
     */
    int of(int total);

    /**
     * Turns it into a number that is a maximum.
     *
     * @param total how many nodes there are, zero or more
     * @return how many of them are meant; a percentage is rounded down (ACT-78)
     */
    int atMost(int total);

    /**
     * A plain number.
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
     * A part of all nodes.
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
        return Math.ceilDiv(total * percent, 100); // a part of a node is a whole one
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
