package io.probelet.monitor.source;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits that end when somebody closes what is waiting. */
public final class Pause {
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Creates one that has not been closed. */
  public Pause() {}

  /**
   * Waits.
   *
   * @return whether to go on, because nobody closed it
   * @throws InterruptedException if the thread was interrupted
   */
  public boolean lasts(Duration duration) throws InterruptedException {
    return !closed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
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
