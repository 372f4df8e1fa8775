package io.probelet.cli.status;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What {@code --watch} does: the same again and again until the process is ended. */
final class RefreshLoop {
  private static final int SECONDS = 2;

  private RefreshLoop() {}

  /** What is done each time. */
  @FunctionalInterface
  interface Round {
    /** Does it once; whatever goes wrong is for the user to read, and the next round comes. */
    void run() throws InterruptedException;
  }

  /**
   * Runs rounds, two seconds between them.
   *
   * @throws InterruptedException if the calling thread was interrupted; there is no other end
   */
  static void run(Round round) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    do {
      round.run();
    } while (!never.await(SECONDS, TimeUnit.SECONDS));
  }
}
