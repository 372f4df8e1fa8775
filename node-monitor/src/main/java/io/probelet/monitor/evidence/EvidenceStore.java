package io.probelet.monitor.evidence;

import java.io.IOException;
import java.nio.file.Path;

/** Where a bundle is kept. */
@FunctionalInterface
public interface EvidenceStore {
  /**
   * Keeps a bundle as a whole or not at all.
   *
   * @param name of the archive
   * @param archive all of it
   * @return where it is
   * @throws IOException if it cannot be kept; the message is for the user
   */
  Path keep(String name, byte[] archive) throws IOException;
}
