package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster at one moment, as far as it is readable.
 *
 * @param waits what waits and why; those of all nodes first, then by node
 * @param remediations newest first, at most 2,000
 * @param clusterHealth the conditions of the ClusterHealth; empty if there is none
 * @param events newest first, at most 1,000
 * @param past the remediations that began within the policies' memory, newest first, at most 1,000
 * @param absent kinds that are not installed, in the plural
 * @param gaps what could not be read
 */
public record FleetView(
    Instant time,
    String server,
    List<FleetNode> nodes,
    List<FleetWait> waits,
    List<FleetRemediation> remediations,
    List<FleetCheck> checks,
    List<FleetPolicy> policies,
    List<FleetLeader> leaders,
    List<FleetCondition> clusterHealth,
    List<FleetEvent> events,
    List<FleetPast> past,
    List<String> absent,
    List<FleetGap> gaps) {
  /** Keeps unmodifiable copies. */
  public FleetView {
    nodes = List.copyOf(nodes);
    waits = List.copyOf(waits);
    remediations = List.copyOf(remediations);
    checks = List.copyOf(checks);
    policies = List.copyOf(policies);
    leaders = List.copyOf(leaders);
    clusterHealth = List.copyOf(clusterHealth);
    events = List.copyOf(events);
    past = List.copyOf(past);
    absent = List.copyOf(absent);
    gaps = List.copyOf(gaps);
  }

  /** The verdict on a cluster. */
  public enum Verdict {
    /** Everything that matters was read, and nothing speaks against it. */
    WELL("Well"),
    /** Something is not as it should be. */
    NOT_WELL("NotWell"),
    /** Nothing that was read speaks against it, but not everything that matters could be read. */
    UNKNOWN("Unknown");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    /** {@return the word for it, such as Well} */
    @JsonValue
    public String label() {
      return label;
    }
  }

  /** {@return the verdict} */
  public Verdict verdict() {
    boolean unknown = gaps.stream().anyMatch(FleetGap::essential);
    boolean bad =
        !waits.isEmpty()
            || nodes.stream().anyMatch(node -> node.state() != FleetNode.State.HEALTHY)
            || !remediations.isEmpty()
            || checks.stream().anyMatch(check -> !check.problem().isEmpty())
            || policies.stream().anyMatch(policy -> !policy.problem().isEmpty())
            || clusterHealth.stream()
                .anyMatch(condition -> condition.verdict() != FleetCondition.Verdict.GOOD);
    return bad ? Verdict.NOT_WELL : unknown ? Verdict.UNKNOWN : Verdict.WELL;
  }

  /** {@return how many nodes there are of each state; without those of which there is none} */
  public Map<FleetNode.State, Integer> counts() {
    return counts(nodes);
  }

  /** {@return how many of some nodes there are of each state} */
  public static Map<FleetNode.State, Integer> counts(List<FleetNode> nodes) {
    Map<FleetNode.State, Integer> counts = new EnumMap<>(FleetNode.State.class);
    nodes.forEach(node -> counts.merge(node.state(), 1, Integer::sum));
    return counts;
  }

  /** {@return the node of a name; empty if there is none} */
  public Optional<FleetNode> node(String name) {
    int low = 0;
    int high = nodes.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = nodes.get(middle).name().compareTo(name);
      if (order == 0) {
        return Optional.of(nodes.get(middle));
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return Optional.empty();
  }

  /** {@return what of a node waits, and why} */
  public List<FleetWait> waitsOf(String node) {
    return waits.stream().filter(wait -> wait.node().equals(node)).toList();
  }

  /** {@return the remediations of a node, oldest first: its escalation} */
  public List<FleetRemediation> remediationsOf(String node) {
    return remediations.reversed().stream().filter(each -> each.node().equals(node)).toList();
  }

  /** {@return the events about a node, newest first} */
  public List<FleetEvent> eventsOf(String node) {
    return events.stream()
        .filter(event -> event.kind().equals("Node") && event.name().equals(node))
        .toList();
  }
}
