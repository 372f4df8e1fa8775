package io.probelet.remediator.resource;

import java.util.Arrays;
import java.util.Optional;

/** How far a remediation has come. */
public enum RemediationPhase {
  /** Nobody has begun with it. */
  PENDING("Pending"),
  /** Nothing has been done, and the message says what has to be awaited. */
  HELD("Held"),
  /** The node's agent is asked for evidence, before anything is changed. */
  EVIDENCE("Evidence"),
  /** The node takes no new pods, and those it has are evicted. */
  DRAINING("Draining"),
  /** The node's agent has an order that it has not carried out yet. */
  ORDERED("Ordered"),
  /** What was to be done is done, and its effect is awaited. */
  WAITING("Waiting"),
  /** It has succeeded; nothing comes after that. */
  DONE("Done"),
  /** It has failed; nothing comes after that. */
  FAILED("Failed");

  private final String label;

  RemediationPhase(String label) {
    this.label = label;
  }

  /** {@return the word in the resource's status, such as Draining} */
  public String label() {
    return label;
  }

  /** {@return whether it is over, and never becomes anything else} */
  public boolean isTerminal() {
    return this == DONE || this == FAILED;
  }

  /** {@return whether it may have changed something on the node, and is not over} */
  public boolean isInForce() {
    return this == EVIDENCE || isActing();
  }

  /** {@return whether the kind's own steps have begun, and are not over} */
  public boolean isActing() {
    return this == DRAINING || this == ORDERED || this == WAITING;
  }

  /**
   * Reads the word of a status.
   *
   * @param label any text
   * @return the phase; empty if it is none
   */
  public static Optional<RemediationPhase> parse(String label) {
    return Arrays.stream(values()).filter(phase -> phase.label.equals(label)).findFirst();
  }
}
