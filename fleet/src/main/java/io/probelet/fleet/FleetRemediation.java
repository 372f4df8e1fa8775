package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonValue;
import io.probelet.remediator.resource.KeptEvidence;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A remediation of a node: one that exists, or one that a NodeHealthCheck's status still lists.
 *
 * @param namespace its namespace; empty if it has none
 * @param check the NodeHealthCheck it belongs to; empty if none
 * @param template the template it was made from; empty if unknown
 * @param step which step of escalation it is, from 1; 0 if unknown
 * @param steps how many steps there are; 0 if unknown
 * @param timedOut when it was given up; null if it was not
 * @param deadline when the next step's turn comes; null if there is none
 * @param phase the word of its remediator, such as Draining; empty if it has none
 * @param phaseSince since when; null if unknown
 * @param message the sentence of its remediator; possibly empty
 * @param evidence what was kept of the node's state before anything was done; null if nothing was
 */
public record FleetRemediation(
    String kind,
    String namespace,
    String name,
    String node,
    String check,
    String template,
    int step,
    int steps,
    Instant started,
    @Nullable Instant timedOut,
    @Nullable Instant deadline,
    State state,
    String phase,
    @Nullable Instant phaseSince,
    String message,
    List<FleetCondition> conditions,
    @Nullable KeptEvidence evidence) {
  /** Keeps an unmodifiable copy. */
  public FleetRemediation {
    conditions = List.copyOf(conditions);
  }

  /** How a remediation stands. */
  public enum State {
    /** It has failed. */
    FAILED("Failed"),
    /** It timed out. */
    TIMED_OUT("TimedOut"),
    /** Its remediator waits for something. */
    HELD("Held"),
    /** It is being carried out, or waits to be begun. */
    AT_WORK("AtWork"),
    /** It is being deleted. */
    ENDING("Ending"),
    /** It has succeeded. */
    SUCCEEDED("Succeeded"),
    /** It is listed but does not exist, or must not be read. */
    NOT_SEEN("NotSeen");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /** {@return the word for it, such as Failed} */
    @JsonValue
    public String label() {
      return label;
    }
  }
}
