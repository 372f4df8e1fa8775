package io.probelet.remediator.order;

import java.util.Arrays;

/** How far a node is with an order. */
public enum OrderPhase {
  /** It has said nothing yet. */
  NONE(""),
  /** It has read the order, could carry it out, and waits for the grant. */
  CLAIMED("Claimed"),
  /** It has begun, or is about to. */
  STARTED("Started"),
  /** It has done what was ordered. */
  DONE("Done"),
  /** It has not done it, or not all of it, and will not. */
  FAILED("Failed");

  private final String word;

  OrderPhase(String word) {
    this.word = word;
  }

  /** {@return the word for it in the API; empty for {@link #NONE}} */
  public String word() {
    return word;
  }

  /** {@return whether nothing more will come of the order} */
  public boolean isTerminal() {
    return this == DONE || this == FAILED;
  }

  /**
   * Reads the word for a phase.
   *
   * @return the phase; {@link #NONE} for a word that is none
   */
  public static OrderPhase of(String word) {
    return Arrays.stream(values())
        .filter(phase -> phase.word.equals(word))
        .findFirst()
        .orElse(NONE);
  }
}
