package io.probelet.manifest.pod;

/** The purpose for which pods are read. */
public enum Mode {
  /**
   * To run their containers as local processes: without an image there must be a command, and a
   * value that only a cluster can resolve is an error.
   */
  STANDALONE_PROCESS,
  /** To probe containers that a container runtime runs. */
  PROBES_ONLY,
  /**
   * To probe the pods of a node, as read from its API server: invalid parts are ignored and the
   * rest is probed, because they cannot be corrected here.
   */
  IN_CLUSTER
}
