package io.probelet.agent.order;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits, on a thread that has nothing else to do. */
@FunctionalInterface
interface OrderPause {
  /** Waits by the machine's clock. */
  OrderPause REAL =
      length -> {
        boolean _ = new CountDownLatch(1).await(length.toMillis(), TimeUnit.MILLISECONDS);
      };

  /**
   * Waits.
   *
   * @throws InterruptedException if the caller is interrupted, which is how time runs out
   */
  void of(Duration length) throws InterruptedException;
}
