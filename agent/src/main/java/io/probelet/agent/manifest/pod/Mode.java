package io.probelet.agent.manifest.pod;

/** What pods are read for. */
public enum Mode {
  /**
   * To run their containers as processes of this machine: without an image there must be a command,
   * and what only a cluster could resolve is an error.
   */
  STANDALONE_PROCESS,
  /** To probe containers that a container runtime runs. */
  PROBES_ONLY
}
