package io.probelet.nodehealth.policy;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The current policies and their counts.
 *
 * @param policies all of them, by name
 * @param atWork the nodes with a remediation, each once
 * @param unknown why policies could not be listed although the cluster has the kind; null if they
 *     could, or if the kind is not installed
 */
public record PolicyFacts(List<State> policies, List<PolicyNode> atWork, @Nullable String unknown) {
  /** Without any policy. */
  public static final PolicyFacts NONE = new PolicyFacts(List.of(), List.of(), null);

  /** Copies the lists. */
  public PolicyFacts {
    policies = List.copyOf(policies);
    atWork = List.copyOf(atWork);
  }

  /** A policy with its counts. */
  public record State(RemediationPolicy policy, int selectedNodes, List<PastRemediation> history) {
    /** Copies the history. */
    public State {
      history = List.copyOf(history);
    }

    /** Finds the remediations of the last hour. */
    public List<PastRemediation> lastHour(Instant now) {
      Instant from = now.minus(PolicyCounts.HOUR);
      return history.stream().filter(past -> past.time().isAfter(from)).toList();
    }

    /**
     * Finds the next time at which an entry may be forgotten, or is of the last hour no longer.
     *
     * @return the time; empty if there is no entry
     */
    public Optional<Instant> nextChange(Instant now) {
      return Stream.concat(
              PolicyHistory.nextForgotten(history, policy.limits(), now).stream(),
              lastHour(now).stream().map(past -> past.time().plus(PolicyCounts.HOUR)))
          .min(Comparator.naturalOrder());
    }
  }

  /**
   * Facts for the case that policies cannot be listed.
   *
   * @param why the missing permission, and how to get it
   * @return facts that allow no remediation
   */
  public static PolicyFacts unknown(String why) {
    return new PolicyFacts(List.of(), List.of(), why);
  }

  /** {@return whether there are no limits} */
  public boolean isEmpty() {
    return policies.isEmpty() && unknown == null;
  }
}
