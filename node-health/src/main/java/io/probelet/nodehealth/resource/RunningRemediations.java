package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;

/** The remediations of a NodeHealthCheck, independent of its status. */
@FunctionalInterface
public interface RunningRemediations {
  /** Knows only the remediations in the status. */
  RunningRemediations UNKNOWN = _ -> Presence.NONE;

  /** Whether one is running. */
  enum Presence {
    /** There is. */
    SOME,
    /** None is running, or we may not list them. */
    NONE,
    /** The API server did not answer. */
    NO_ANSWER
  }

  /**
   * Searches for remediations of the kinds that a resource names.
   *
   * @return whether it has any
   */
  Presence of(JsonNode resource);
}
