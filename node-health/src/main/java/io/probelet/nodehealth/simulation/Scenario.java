package io.probelet.nodehealth.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of a cluster, without the controller's own actions.
 *
 * @param nodes its nodes, all Ready at the start
 * @param events its events, in any order
 * @param remediators the simulated remediators; remediations of other kinds time out
 */
public record Scenario(List<NodeGroup> nodes, List<Event> events, List<Remediator> remediators) {
  /** Keeps unmodifiable copies of the lists. */
  public Scenario {
    nodes = List.copyOf(nodes);
    events = List.copyOf(events);
    remediators = List.copyOf(remediators);
  }

  /** Nodes with the same labels. */
  public record NodeGroup(List<String> names, Map<String, String> labels) {
    /** Copies both. */
    public NodeGroup {
      names = List.copyOf(names);
      labels = Map.copyOf(labels);
    }
  }

  /**
   * One event.
   *
   * @param change its change
   */
  public record Event(Duration at, Change change) {}

  /** The change of an event. */
  public sealed interface Change {
    /** A node condition. */
    record Condition(List<String> nodes, String type, String status) implements Change {
      /** Keeps an unmodifiable copy of the names. */
      public Condition {
        nodes = List.copyOf(nodes);
      }
    }

    /**
     * A node label.
     *
     * @param value its new value; null to remove it
     */
    record Label(List<String> nodes, String label, @Nullable String value) implements Change {
      /** Keeps an unmodifiable copy of the names. */
      public Label {
        nodes = List.copyOf(nodes);
      }
    }

    /** Nodes are deleted. */
    record Removal(List<String> nodes) implements Change {
      /** Keeps an unmodifiable copy of the names. */
      public Removal {
        nodes = List.copyOf(nodes);
      }
    }

    /** A person confirms that nodes are healthy. */
    record Confirmation(List<String> nodes) implements Change {
      /** Keeps an unmodifiable copy of the names. */
      public Confirmation {
        nodes = List.copyOf(nodes);
      }
    }

    /**
     * Changes the pause requests.
     *
     * @param requests the new pause requests; empty to resume
     */
    record Pause(List<String> requests) implements Change {
      /** Keeps an unmodifiable copy of the requests. */
      public Pause {
        requests = List.copyOf(requests);
      }
    }
  }

  /**
   * A simulated remediator.
   *
   * @param nodes names of its nodes; empty for all
   * @param cleanup how long its finalizers delay the deletion of a remediation, zero for not at all
   */
  public record Remediator(
      String kind, List<String> nodes, Duration after, Outcome outcome, Duration cleanup) {
    /** Keeps an unmodifiable copy of the names. */
    public Remediator {
      nodes = List.copyOf(nodes);
    }

    boolean isFor(String remediationKind, String node) {
      return kind.equals(remediationKind) && (nodes.isEmpty() || nodes.contains(node));
    }
  }

  /** The result of a remediation. */
  public enum Outcome {
    /** The node is healthy and the remediation reports success. */
    HEALS,
    /** The remediation reports success, but the node is unchanged. */
    SUCCEEDS,
    /** The remediation reports failure. */
    FAILS,
    /** Nothing. */
    NOTHING
  }
}
