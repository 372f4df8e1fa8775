package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonValue;
import io.probelet.web.api.Severity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a node, a remediation, a NodeHealthCheck or the cluster. All texts are strangers'
 * and bounded.
 *
 * @param status True, False, Unknown or another word
 * @param reason one word; possibly empty
 * @param message a sentence; possibly empty
 * @param since when the status changed last; null if unknown
 */
public record FleetCondition(
    String type,
    String status,
    String reason,
    String message,
    @Nullable Instant since,
    Verdict verdict) {
  /** The meaning of a condition for its object. */
  public enum Verdict {
    /** As it should be. */
    GOOD("Good"),
    /** Not as it should be, but neither lost. */
    WARNING("Warning"),
    /** Not as it should be. */
    BAD("Bad"),
    /** Nobody knows. */
    UNKNOWN("Unknown");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    /** {@return how bad that is} */
    public Severity severity() {
      return switch (this) {
        case BAD -> Severity.UNHEALTHY;
        case WARNING -> Severity.WARNING;
        case UNKNOWN -> Severity.UNKNOWN;
        case GOOD -> Severity.HEALTHY;
      };
    }

    /** {@return the word for it, such as Good} */
    @JsonValue
    public String label() {
      return label;
    }
  }

  /** {@return how bad it is} */
  public Severity severity() {
    return verdict.severity();
  }
}
