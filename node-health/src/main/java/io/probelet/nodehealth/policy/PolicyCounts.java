package io.probelet.nodehealth.policy;

import io.probelet.nodehealth.policy.PolicyAnswer.Held;
import io.probelet.nodehealth.policy.PolicyFacts.State;
import io.probelet.nodehealth.policy.PolicyLimits.Backstop;
import io.probelet.nodehealth.policy.PolicyLimits.Spec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The limits of a policy that depend on counts or on one node. */
record PolicyCounts(State state, Spec limits, Instant now) {
  /** The period of {@code maxPerHour}. */
  static final Duration HOUR = Duration.ofHours(1);

  private String name() {
    return state.policy().name();
  }

  /** ACT-75: the same annotation as for an approval lifts it. */
  Optional<Held> backstop(String node, String kind) {
    Backstop backstop = limits.backstop();
    if (backstop == null) {
      return Optional.empty();
    }
    List<Instant> times =
        since(backstop.within())
            .filter(past -> past.node().equals(node))
            .map(PastRemediation::time)
            .sorted()
            .toList();
    if (times.size() < backstop.times()) {
      return Optional.empty();
    }
    Instant until = times.get(times.size() - backstop.times()).plus(backstop.within());
    return Optional.of(
        new Held(new PolicyHold.GivenUp(name(), node, kind, backstop, until), until));
  }

  /** A human must approve it, whatever else allows it (ACT-76). */
  Optional<Held> approval(PolicyRequest request) {
    return limits.waitsForApproval(request.kind())
        ? Optional.of(
            new Held(
                new PolicyHold.AwaitingApproval(name(), request.node().name(), request.kind()),
                null))
        : Optional.empty();
  }

  /** ACT-77: including those that the same pass allows. */
  Optional<Held> hour(int alsoBegun) {
    Integer max = limits.maxPerHour();
    if (max == null) {
      return Optional.empty();
    }
    List<Instant> times = since(HOUR).map(PastRemediation::time).sorted().toList();
    int count = times.size() + alsoBegun;
    if (count < max) {
      return Optional.empty();
    }
    Instant until;
    if (max == 0) {
      until = null;
    } else if (count - max < times.size()) {
      until = times.get(count - max).plus(HOUR);
    } else {
      until = now.plus(HOUR);
    }
    return Optional.of(new Held(new PolicyHold.HourlyLimit(name(), count, max, until), until));
  }

  /** ACT-79: a remediation that could not be recorded does not start. */
  Optional<Held> history(int alsoBegun) {
    List<PastRemediation> kept = PolicyHistory.kept(state.history(), limits, now);
    if (kept.size() + alsoBegun < PolicyGate.MAX_HISTORY) {
      return Optional.empty();
    }
    Instant until = PolicyHistory.nextForgotten(kept, limits, now).orElse(now.plus(HOUR));
    return Optional.of(new Held(new PolicyHold.HistoryFull(name(), until), until));
  }

  /** ACT-78: a percentage rounds down, because it is a maximum. */
  Optional<PolicyHold> nodes(PolicyNode node, Collection<PolicyNode> atWork) {
    NodeCount max = limits.maxNodes();
    if (max == null) {
      return Optional.empty();
    }
    int allowed = max.atMost(state.selectedNodes());
    int busy = Math.toIntExact(others(node, atWork).count());
    return busy < allowed
        ? Optional.empty()
        : Optional.of(new PolicyHold.NodeLimit(name(), busy, allowed, max));
  }

  /** ACT-78: nodes without a zone share one zone; a deleted node may belong to any. */
  Optional<PolicyHold> zone(PolicyNode node, Collection<PolicyNode> atWork) {
    Integer max = limits.maxNodesPerZone();
    if (max == null) {
      return Optional.empty();
    }
    String zone = zone(node).orElse("");
    int busy =
        Math.toIntExact(
            others(node, atWork)
                .filter(other -> zone(other).map(zone::equals).orElse(true))
                .count());
    return busy < max
        ? Optional.empty()
        : Optional.of(new PolicyHold.ZoneLimit(name(), zone, busy, max));
  }

  private Stream<PolicyNode> others(PolicyNode node, Collection<PolicyNode> atWork) {
    return atWork.stream()
        .filter(other -> !other.name().equals(node.name()) && other.isOf(state.policy()));
  }

  private Optional<String> zone(PolicyNode node) {
    Map<String, String> labels = node.labels();
    return labels == null
        ? Optional.empty()
        : Optional.of(labels.getOrDefault(limits.zoneLabel(), ""));
  }

  /** Entries of the last period, and those in the future if the clock went back. */
  private Stream<PastRemediation> since(Duration time) {
    Instant from = now.minus(time);
    return state.history().stream().filter(past -> past.time().isAfter(from));
  }
}
