package io.probelet.kube.event;

/** Why an occurrence was never written. */
public enum DropReason {
  /** Its object is gone, and the Event itself had been written: only its count was not. */
  GONE("gone"),
  /** There were too many causes about its object. */
  OBJECT_FULL("object_full"),
  /** There were too many causes about all objects together. */
  NODE_FULL("node_full"),
  /** The API server does not take it, ever: its namespace is gone, say. */
  REFUSED("refused");

  private final String label;

  DropReason(String label) {
    this.label = label;
  }

  /** {@return the value of the metric's label} */
  public String label() {
    return label;
  }
}
