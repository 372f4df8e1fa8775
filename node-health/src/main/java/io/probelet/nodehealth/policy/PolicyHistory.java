package io.probelet.nodehealth.policy;

import io.probelet.nodehealth.policy.PolicyLimits.Backstop;
import io.probelet.nodehealth.policy.PolicyLimits.Spec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which remediations a policy must remember (ACT-79). */
final class PolicyHistory {
  /** Retention for a policy that cannot be read: the longest that any may request. */
  static final Duration LONGEST = Duration.ofDays(30);

  private PolicyHistory() {}

  /** The entries that a limit may still need, oldest first. */
  static List<PastRemediation> kept(
      Collection<PastRemediation> history, PolicyLimits limits, Instant now) {
    Instant from = now.minus(memory(limits));
    return history.stream()
        .filter(past -> past.time().isAfter(from))
        .sorted(PastRemediation.OLDEST_FIRST)
        .toList();
  }

  /** Whether no limit needs an entry any more. */
  static boolean isExpired(PastRemediation past, PolicyLimits limits, Instant now) {
    return !past.time().isAfter(now.minus(memory(limits)));
  }

  /** When the oldest of the entries that a limit may still need may be forgotten. */
  static Optional<Instant> nextForgotten(
      Collection<PastRemediation> history, PolicyLimits limits, Instant now) {
    Instant from = now.minus(memory(limits));
    return history.stream()
        .map(PastRemediation::time)
        .filter(time -> time.isAfter(from))
        .min(Comparator.naturalOrder())
        .map(time -> time.plus(memory(limits)));
  }

  private static Duration memory(PolicyLimits limits) {
    if (!(limits instanceof Spec readable)) {
      return LONGEST;
    }
    Backstop backstop = readable.backstop();
    return backstop == null
        ? PolicyCounts.HOUR
        : Collections.max(List.of(PolicyCounts.HOUR, backstop.within()));
  }
}
