package io.probelet.manifest.pod;

/** What pods are read for. */
public enum Mode {
  /**
   * To run their containers as processes of this machine: without an image there must be a command,
   * and what only a cluster could resolve is an error.
   */
  STANDALONE_PROCESS,
  /** To probe containers that a container runtime runs. */
  PROBES_ONLY,
  /**
   * To probe the pods of a node, as its API server has them: what is wrong with one is left out and
   * the rest of it is probed, for nobody here can correct it.
   */
  IN_CLUSTER
}
