package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that waits, and why.
 *
 * @param node the node's name; empty if all nodes wait
 * @param check the NodeHealthCheck that would remediate it, or the remediation that waits, as
 *     {@code Kind/name}; empty if there is none
 * @param reason one word for programs, such as TooFewHealthy
 * @param why one sentence, with the number found and the number needed where there is one
 * @param until when it ends by itself; null if it does not, or not at a known moment
 */
public record FleetWait(
    String node, String check, String reason, String why, @Nullable Instant until, Source source) {
  /** The source of a reason. */
  public enum Source {
    /** The leader, which decides. */
    LEADER("Leader"),
    /** An object in the cluster. */
    RESOURCE("Resource"),
    /** The same rules as the leader's, applied here to what could be read. */
    COMPUTED("Computed");

    private final String label;

    Source(String label) {
      this.label = label;
    }

    /** {@return the word for it, such as Leader} */
    @JsonValue
    public String label() {
      return label;
    }
  }
}
