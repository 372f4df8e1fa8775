package io.probelet.web.incident;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.web.api.JsonDefaults;
import java.util.Objects;

/**
 * An incident, its cause, and how it fits those before it: what {@code GET /api/v1/incidents}
 * shows.
 *
 * @param incident what was recorded
 * @param cause why it happened, as far as the evidence tells
 * @param pattern how it repeats, such as {@code the 4th in 40 minutes}; empty for a single one
 */
@JsonPropertyOrder({"incident", "cause", "pattern"})
public record ExplainedIncident(Incident incident, Cause cause, String pattern) {
  /** Takes what another agent leaves out for empty. */
  public ExplainedIncident {
    Objects.requireNonNull(incident, "incident");
    Objects.requireNonNull(cause, "cause");
    pattern = JsonDefaults.text(pattern);
  }
}
