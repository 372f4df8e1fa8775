package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;

/** The remediations of a NodeHealthCheck, independent of its status. */
@FunctionalInterface
public interface RunningRemediations {
  /** Only what the status says is known. */
  RunningRemediations UNKNOWN = _ -> Presence.NONE;

  /** Whether there is one. */
  enum Presence {
    /** There is. */
    SOME,
    /** There is none, or we are not allowed to list them. */
    NONE,
    /** The API server gave no answer. */
    NO_ANSWER
  }

  /**
   * Searches for remediations of the kinds that a resource names.
   *
   * @return whether it has one
   */
  Presence of(JsonNode resource);
}
