package io.probelet.manifest;

import java.time.Duration;

/** Signals that something may have changed in the folders where manifests are. */
interface FolderSignal extends AutoCloseable {
  /**
   * Waits for something to happen. What happens between two calls is reported by the second.
   *
   * @return whether something happened; false when the time was up
   */
  boolean await(Duration atMost) throws InterruptedException;

  @Override
  void close();
}
