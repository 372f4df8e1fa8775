package io.probelet.monitor.evidence;

import java.io.IOException;
import java.nio.file.Path;

/** Where a bundle is kept. */
@FunctionalInterface
public interface EvidenceStore {
  /**
   * Keeps a bundle as a whole or not at all.
   *
   * @param archive all of it
   * @throws IOException if it cannot be kept; the message is for the user
   */
  Path keep(String name, byte[] archive) throws IOException;
}
