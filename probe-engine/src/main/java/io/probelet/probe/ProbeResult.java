package io.probelet.probe;

/** What is published about a container once thresholds have been met. */
public enum ProbeResult {
  /** Enough probes in a row succeeded. */
  SUCCESS,
  /** Enough probes in a row failed. */
  FAILURE,
  /** Nothing has been decided yet. */
  UNKNOWN
}
