package io.probelet.agent.fleet;

import java.util.List;

/**
 * What a node's agent kept of the node's state before anything was done to it.
 *
 * @param name the file's name on the node; empty if none was kept
 * @param sha256 of the file, in hexadecimal
 * @param bytes of the file
 * @param digest the lines that matter most, at most 20
 */
public record FleetEvidence(String name, String sha256, long bytes, List<String> digest) {
  /** Keeps an unmodifiable copy. */
  public FleetEvidence {
    digest = List.copyOf(digest);
  }
}
