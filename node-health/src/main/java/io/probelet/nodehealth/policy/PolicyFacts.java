package io.probelet.nodehealth.policy;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policies at one moment, and their counts.
 *
 * @param policies all of them, by name
 * @param atWork the nodes on which a remediation is at work, each once
 * @param unknown why policies could not be listed, though the cluster has the kind; null if they
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

  /** A policy, and what it counts. */
  public record State(RemediationPolicy policy, int selectedNodes, List<PastRemediation> history) {
    /** Copies the history. */
    public State {
      history = List.copyOf(history);
    }

    /**
     * Finds what a limit may ask for yet.
     *
     * @return those remediations, oldest first
     */
    public List<PastRemediation> remembered(Instant now) {
      return PolicyHistory.kept(history, policy.limits(), now);
    }

    /** Finds what began within the last hour. */
    public List<PastRemediation> lastHour(Instant now) {
      Instant from = now.minus(PolicyCounts.HOUR);
      return history.stream().filter(past -> past.time().isAfter(from)).toList();
    }

    /**
     * Finds when one of both changes by itself.
     *
     * @return when; empty if there is nothing to forget
     */
    public Optional<Instant> nextChange(Instant now) {
      List<PastRemediation> kept = remembered(now);
      return Stream.concat(
              PolicyHistory.nextForgotten(kept, policy.limits()).stream(),
              lastHour(now).stream().map(past -> past.time().plus(PolicyCounts.HOUR)))
          .min(Comparator.naturalOrder());
    }
  }

  /**
   * For the case that policies cannot be listed.
   *
   * @param why what is missing, and how to get it
   * @return facts that allow no remediation
   */
  public static PolicyFacts unknown(String why) {
    return new PolicyFacts(List.of(), List.of(), why);
  }

  /** {@return whether nothing is limited} */
  public boolean isEmpty() {
    return policies.isEmpty() && unknown == null;
  }
}
