package io.probelet.cli.status;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Repeats a query for {@code --watch} until the process ends. */
final class RefreshLoop {
  private static final int SECONDS = 2;

  private RefreshLoop() {}

  /** One repetition. */
  @FunctionalInterface
  interface Round {
    /** Queries once; reports failures to the user, and the next round follows. */
    void run() throws InterruptedException;
  }

  /**
   * Runs rounds, two seconds apart.
   *
   * @throws InterruptedException if the calling thread is interrupted; there is no other end
   */
  static void run(Round round) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    do {
      round.run();
    } while (!never.await(SECONDS, TimeUnit.SECONDS));
  }
}
