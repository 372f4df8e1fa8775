package io.probelet.monitor.check;

import java.io.IOException;

/** Looks at one thing of the machine. */
@FunctionalInterface
public interface NodeCheck {
  /**
   * Looks once. May take for ever: whoever asks looks at the clock.
   *
   * @return what was found
   * @throws IOException if nothing could be found out; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  NodeCheckResult look() throws IOException, InterruptedException;
}
