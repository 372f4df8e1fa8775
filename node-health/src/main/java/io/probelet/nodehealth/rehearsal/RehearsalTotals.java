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
 * @param nodes how many nodes were remediated, each counted once
 * @param givenUp how many remediations were given up; with those recorded, too
 * @param outcomes how the spells ended in which a remediation was created (TP-6)
 * @param mostAtOnce the most nodes that had a remediation at one time
 * @param unhealthy how long nodes were unhealthy on the tape, summed over all nodes
 * @param estimate how long they would have been, if remediations healed (TP-7)
 * @param first the first remediations in the order of time, at most {@link #MAX_LISTED}
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
  /** So many remediations are listed; the others are counted. */
  public static final int MAX_LISTED = 2_000;

  /** Copies the collections. */
  public RehearsalTotals {
    outcomes = Map.copyOf(outcomes);
    holds = Collections.unmodifiableMap(new TreeMap<>(holds));
    first = List.copyOf(first);
  }

  /** {@return how much shorter nodes would have been unhealthy than they were (TP-7)} */
  public Duration saved() {
    return unhealthy.minus(estimate);
  }

  /** {@return how many spells ended so} */
  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /** How a spell ended in which a remediation was created (TP-6). */
  public enum Outcome {
    /** Within the remediation's time, and nobody is known to have worked on the node. */
    BY_ITSELF,
    /** Within the remediation's time; a recorded remediation or a cordon was there. */
    WITH_HELP,
    /** After the remediation's time. */
    LATER,
    /** The node was deleted. */
    DELETED,
    /** Not before the tape's end. */
    NOT_OVER
  }

  /** What one reason held back. */
  public record Held(long times, Duration time) {}

  /**
   * One remediation.
   *
   * @param check the NodeHealthCheck that created it; empty if none did
   * @param outcome how the node's spell ended
   * @param over when the spell ended; null if it did not
   */
  public record Listed(
      Instant at,
      String node,
      String kind,
      String check,
      Outcome outcome,
      @Nullable Instant over) {}
}
