package io.probelet.agent.cluster.publish;

/** Why an occurrence was never written. */
enum EventDrop {
  /** Its object is gone, and the event itself had been written: only its count was not. */
  GONE("gone"),
  /** There were too many causes about its object. */
  OBJECT_FULL("object_full"),
  /** There were too many causes about all objects together. */
  NODE_FULL("node_full"),
  /** The API server does not take it, ever: its namespace is going away, say. */
  REFUSED("refused");

  private final String label;

  EventDrop(String label) {
    this.label = label;
  }

  /** The value of the metric's label. */
  String label() {
    return label;
  }
}
