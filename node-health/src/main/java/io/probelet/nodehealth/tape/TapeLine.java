package io.probelet.nodehealth.tape;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** One line of a tape after the header: one thing that changed. */
public sealed interface TapeLine {
  /** {@return when it was seen; never before the line before} */
  Instant at();

  /**
   * A node as a whole: a new one, or one of which more than a condition or labels changed.
   *
   * @param cordoned whether it is marked unschedulable
   */
  record NodeSeen(Instant at, NodeFacts node, boolean cordoned) implements TapeLine {}

  /** A node was deleted from the cluster. */
  record NodeGone(Instant at, String node) implements TapeLine {}

  /** A condition of a node changed, or is new. */
  record ConditionChange(Instant at, String node, String type, String status, Instant since)
      implements TapeLine {}

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
   * A NodeHealthCheck as a whole, new or changed.
   *
   * @param object the resource; whether it is valid has not been checked
   */
  record CheckSeen(Instant at, String name, JsonNode object) implements TapeLine {}

  /** A NodeHealthCheck was deleted. */
  record CheckGone(Instant at, String name) implements TapeLine {}

  /** A remediation as a whole, new or changed. */
  record RemediationSeen(Instant at, RecordedRemediation remediation) implements TapeLine {}

  /** A remediation is gone. */
  record RemediationGone(Instant at, String uid) implements TapeLine {}

  /**
   * Nothing was seen for a while; what happened meanwhile follows, with the end of the gap as its
   * time.
   *
   * @param at when the gap ended
   */
  record Gap(Instant at, Instant from) implements TapeLine {}

  /**
   * The tape is complete until here.
   *
   * @param at when it was ended
   */
  record End(Instant at) implements TapeLine {}
}
