package io.probelet.nodehealth.rehearsal;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The totals of one column of a rehearsal: recorded, in force, or a candidate.
 *
 * @param nodes number of remediated nodes, each counted once
 * @param givenUp number of remediations that were given up, including recorded ones
 * @param outcomes how the unhealthy intervals with a remediation ended (TP-6)
 * @param mostAtOnce maximum number of nodes with a remediation at one time
 * @param unhealthy how long nodes were unhealthy on the tape, summed over all nodes
 * @param estimate how long they would have been, if remediations healed (TP-7)
 * @param first the first remediations by time, at most {@link #MAX_LISTED}
 */
public record RehearsalTotals(
    String title,
    long remediations,
    int nodes,
    long givenUp,
    Map<Outcome, Long> outcomes,
    int mostAtOnce,
    Duration unhealthy,
    Duration estimate,
    Map<String, Held> holds,
    List<Listed> first) {
  /** Maximum number of listed remediations; the others are counted. */
  public static final int MAX_LISTED = 2_000;

  /** Copies the collections. */
  public RehearsalTotals {
    outcomes = Map.copyOf(outcomes);
    holds = Collections.unmodifiableMap(new TreeMap<>(holds));
    first = List.copyOf(first);
  }

  /** {@return the estimated reduction of unhealthy time (TP-7)} */
  public Duration saved() {
    return unhealthy.minus(estimate);
  }

  /** {@return the number of intervals with this outcome} */
  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /** How an unhealthy interval with a remediation ended (TP-6). */
  public enum Outcome {
    /** Within the remediation's time, without known help. */
    BY_ITSELF,
    /** Within the remediation's time, with a recorded remediation or a cordon. */
    WITH_HELP,
    /** After the remediation's time. */
    LATER,
    /** The node was deleted. */
    DELETED,
    /** Not before the tape's end. */
    NOT_OVER
  }

  /** The total of one hold reason. */
  public record Held(long times, Duration time) {}

  /**
   * One remediation.
   *
   * @param check the NodeHealthCheck that created it; empty if none did
   * @param outcome how the node's unhealthy interval ended
   * @param over when the interval ended; null if it did not
   */
  public record Listed(
      Instant at,
      String node,
      String kind,
      String check,
      Outcome outcome,
      @Nullable Instant over) {}
}
