package io.probelet.monitor.source;

import io.probelet.health.Threads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Interruptible waits that end when the owner is closed. */
public final class Pause {
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Creates an open pause. */
  public Pause() {}

  /**
   * Waits.
   *
   * @return whether to continue, because it was not closed
   * @throws InterruptedException if the thread was interrupted
   */
  public boolean lasts(Duration duration) throws InterruptedException {
    return lasts(duration, Threads.MACHINE);
  }

  /**
   * Waits.
   *
   * @param threads where the wait passes
   * @return whether to continue, because it was not closed
   * @throws InterruptedException if the thread was interrupted
   */
  public boolean lasts(Duration duration, Threads threads) throws InterruptedException {
    return !threads.await(closed, duration);
  }

  /** {@return whether it has been closed} */
  public boolean isClosed() {
    return closed.getCount() == 0;
  }

  /** Ends all waiting, now and later. */
  public void close() {
    closed.countDown();
  }
}
