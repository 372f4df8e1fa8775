package io.probelet.monitor.check;

import java.io.IOException;

/** Checks one thing of the machine. */
@FunctionalInterface
public interface NodeCheck {
  /**
   * Runs the check once. May take for ever: the caller keeps the time limit.
   *
   * @throws IOException if nothing could be found out; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  NodeCheckResult run() throws IOException, InterruptedException;
}
