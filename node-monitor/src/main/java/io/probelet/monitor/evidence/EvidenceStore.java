package io.probelet.monitor.evidence;

import java.io.IOException;
import java.nio.file.Path;

/** Stores bundles. */
@FunctionalInterface
public interface EvidenceStore {
  /**
   * Saves a bundle as a whole or not at all.
   *
   * @param archive the complete archive
   * @throws IOException if it cannot be saved; the message is for the user
   */
  Path keep(String name, byte[] archive) throws IOException;
}
