package io.probelet.fleet;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Something of the cluster that could not be read.
 *
 * @param what in the plural, such as RemediationPolicies
 * @param kind why in one word
 * @param why in one sentence; names the right that is missing, if that is it
 * @param essential whether the verdict is unknown without it
 */
public record FleetGap(String what, Kind kind, String why, boolean essential) {
  /** Why something is not known. */
  public enum Kind {
    /** A right is missing. */
    FORBIDDEN("Forbidden"),
    /** The API server or another server does not answer. */
    UNREACHABLE("Unreachable"),
    /** It has not been read yet. */
    PENDING("Pending"),
    /** There is more than is kept. */
    TOO_MANY("TooMany"),
    /** Objects exceed the size limit and are skipped. */
    TOO_LARGE("TooLarge");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** {@return the word for it, such as Forbidden} */
    @JsonValue
    public String label() {
      return label;
    }
  }
}
