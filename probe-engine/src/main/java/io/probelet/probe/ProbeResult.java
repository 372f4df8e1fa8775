package io.probelet.probe;

/** The published result of a probe, decided by thresholds. */
public enum ProbeResult {
  /** Enough probes in a row succeeded. */
  SUCCESS,
  /** Enough probes in a row failed. */
  FAILURE,
  /** Nothing has been decided yet. */
  UNKNOWN
}
