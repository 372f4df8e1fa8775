package io.probelet.nodehealth.tape;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** One line of a tape after the header: one change. */
public sealed interface TapeLine {
  /** {@return its time; never earlier than the previous line} */
  Instant at();

  /**
   * A complete node: a new one, or one with more changes than a condition or labels.
   *
   * @param cordoned whether it is marked unschedulable
   */
  record NodeSeen(Instant at, NodeFacts node, boolean cordoned) implements TapeLine {}

  /** A node was deleted from the cluster. */
  record NodeGone(Instant at, String node) implements TapeLine {}

  /** A condition of a node changed, or is new. */
  record ConditionChange(
      Instant at, String node, String type, String status, Instant since, String reason)
      implements TapeLine {
    /** A condition without a reason. */
    public ConditionChange(Instant at, String node, String type, String status, Instant since) {
      this(at, node, type, status, since, "");
    }
  }

  /**
   * Labels of a node changed.
   *
   * @param set the new values; empty where the label was removed
   */
  record LabelChange(Instant at, String node, Map<String, Optional<String>> set)
      implements TapeLine {
    /** Keeps an unmodifiable copy of the labels. */
    public LabelChange {
      set = Map.copyOf(set);
    }
  }

  /**
   * A node was cordoned or uncordoned.
   *
   * @param cordoned whether it is marked unschedulable from now on
   */
  record Cordon(Instant at, String node, boolean cordoned) implements TapeLine {}

  /**
   * A complete NodeHealthCheck, new or changed.
   *
   * @param object the resource, not validated
   */
  record CheckSeen(Instant at, String name, JsonNode object) implements TapeLine {}

  /** A NodeHealthCheck was deleted. */
  record CheckGone(Instant at, String name) implements TapeLine {}

  /**
   * A complete Maintenance, new or changed.
   *
   * @param object the resource, not validated
   */
  record MaintenanceSeen(Instant at, String name, JsonNode object) implements TapeLine {}

  /** A Maintenance was deleted. */
  record MaintenanceGone(Instant at, String name) implements TapeLine {}

  /** A complete remediation, new or changed. */
  record RemediationSeen(Instant at, RecordedRemediation remediation) implements TapeLine {}

  /** A remediation was deleted. */
  record RemediationGone(Instant at, String uid) implements TapeLine {}

  /**
   * A gap in the recording; the changes meanwhile follow, with the end of the gap as their time.
   *
   * @param at the end of the gap
   */
  record Gap(Instant at, Instant from) implements TapeLine {}

  /**
   * The tape is complete up to here.
   *
   * @param at the end of the recording
   */
  record End(Instant at) implements TapeLine {}
}
