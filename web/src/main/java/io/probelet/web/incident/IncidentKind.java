package io.probelet.web.incident;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What happened to a container. */
public enum IncidentKind {
  /** A failed probe made the agent stop it. */
  KILLED,
  /** A failed probe made the agent evict its pod, because the node has no runtime to restart it. */
  EVICTED,
  /** A failed probe would have stopped it, but the restart is on hold or suppressed. */
  HELD,
  /** Its readiness probe failed. */
  UNREADY,
  /** It ended, and the agent had not stopped it. */
  ENDED,
  /** The agent restarted all containers of its pod, because a probe of another one failed. */
  POD_RESTARTED,
  /** All containers of its pod restart, because another one ended and its rule says so. */
  POD_RESTARTED_BY_RULE,
  /** It cannot be started. */
  NOT_STARTED,
  /** A later version of the agent recorded it. */
  OTHER;

  /**
   * {@return the word used in JSON: killed, evicted, held, unready, ended, pod-restarted,
   * pod-restarted-by-rule, not-started}
   */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * {@return the kind of a word; {@link #OTHER} for an unknown one}
   *
   * @param label as {@link #label} writes it
   */
  @JsonCreator
  static IncidentKind of(String label) {
    for (IncidentKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    return OTHER;
  }
}
