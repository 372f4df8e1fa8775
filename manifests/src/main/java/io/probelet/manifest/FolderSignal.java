package io.probelet.manifest;

import java.time.Duration;

/** Signals possible changes in the folders of manifests. */
interface FolderSignal extends AutoCloseable {
  /**
   * Waits for a signal. The next call reports signals between two calls.
   *
   * @return whether there was one; false after the timeout
   */
  boolean await(Duration atMost) throws InterruptedException;

  @Override
  void close();
}
