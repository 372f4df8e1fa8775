package io.probelet.remediator.decide;

/** What a kind has read that needs nothing besides its node and its order. */
public enum NoObservation {
  /** There is but one. */
  NOTHING
}
