package io.probelet.fleet.advise;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/**
 * One change of a probe's settings.
 *
 * @param probe the probe's field, such as livenessProbe
 * @param field the setting, such as timeoutSeconds; empty for the probe as a whole
 * @param today the value in force
 * @param proposed the better value
 * @param value the same for a patch; null to remove the probe, or where no patch can be made
 * @param rule ID of the rule that proposes it
 * @param reason in one sentence
 * @param effect what it would have changed
 */
@JsonPropertyOrder({"probe", "field", "today", "proposed", "value", "rule", "reason", "effect"})
public record Proposal(
    String probe,
    String field,
    String today,
    String proposed,
    @JsonInclude(Include.NON_NULL) @Nullable Integer value,
    String rule,
    String reason,
    String effect) {}
