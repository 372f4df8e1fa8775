package io.probelet.web.incident;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import io.probelet.web.api.JsonDefaults;
import java.util.List;
import java.util.Locale;

/**
 * Why an incident happened, as far as the evidence tells. It is for people: nothing is decided by
 * it.
 *
 * @param type what kind of cause
 * @param confidence how sure that is
 * @param sentence the cause with its evidence, in one sentence without a period at its end
 * @param advice what to do about it, in one sentence; empty if there is nothing to say
 * @param evidence the facts behind it, one each
 */
@JsonPropertyOrder({"type", "confidence", "sentence", "advice", "evidence"})
public record Cause(
    CauseType type, Confidence confidence, String sentence, String advice, List<String> evidence) {
  /** Takes what another agent leaves out for empty. */
  public Cause {
    type = type == null ? CauseType.UNKNOWN : type;
    confidence = confidence == null ? Confidence.UNCLEAR : confidence;
    sentence = JsonDefaults.text(sentence);
    advice = JsonDefaults.text(advice);
    evidence = JsonDefaults.list(evidence);
  }

  /** How sure a cause is. */
  public enum Confidence {
    /** The kernel, the runtime or a definite answer shows it. */
    CERTAIN,
    /** The evidence fits this cause best. */
    LIKELY,
    /** Several causes fit, or evidence is missing. */
    UNCLEAR;

    /** {@return the word used in JSON: certain, likely or unclear} */
    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the confidence of a word; {@link #UNCLEAR} for an unknown one}
     *
     * @param label as {@link #label} writes it
     */
    @JsonCreator
    static Confidence of(String label) {
      for (Confidence confidence : values()) {
        if (confidence.label().equals(label)) {
          return confidence;
        }
      }
      return UNCLEAR;
    }
  }

  /** {@return the sentence and the advice, each with a period} */
  public String text() {
    return sentence + "." + (advice.isEmpty() ? "" : " " + advice + ".");
  }
}
