package io.probelet.monitor.check;

import java.io.IOException;

/** Checks one property of the machine. */
@FunctionalInterface
public interface NodeCheck {
  /**
   * Runs the check once. May block forever: the caller enforces the timeout.
   *
   * @throws IOException if the state could not be determined; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  NodeCheckResult run() throws IOException, InterruptedException;
}
