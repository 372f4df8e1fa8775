package io.probelet.agent.order;

import java.time.Duration;

/** Waits, on a thread that has nothing else to do. */
@FunctionalInterface
interface OrderPause {
  /**
   * Waits.
   *
   * @throws InterruptedException if the caller is interrupted, which is how time runs out
   */
  void of(Duration length) throws InterruptedException;
}
