package io.probelet.kube.event;

/** Why an occurrence was dropped. */
public enum DropReason {
  /** Its object is gone; the Event itself was written, only its latest count was not. */
  GONE("gone"),
  /** There were too many causes for its object. */
  OBJECT_FULL("object_full"),
  /** There were too many causes for all objects together. */
  NODE_FULL("node_full"),
  /** The API server rejects it permanently, for example because its namespace is gone. */
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
