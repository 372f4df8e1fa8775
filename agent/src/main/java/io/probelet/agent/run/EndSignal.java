package io.probelet.agent.run;

import java.util.concurrent.CountDownLatch;

/**
 * Turns Ctrl-C and TERM into an orderly end: the JVM's shutdown waits until the command has let go
 * of everything.
 */
final class EndSignal {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  private EndSignal() {}

  static EndSignal install() {
    EndSignal signal = new EndSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(signal::shutDown, "end"));
    return signal;
  }

  private void shutDown() {
    boolean already = done.getCount() == 0;
    asked.countDown();
    try {
      done.await();
    } catch (InterruptedException impossible) {
      Thread.currentThread().interrupt();
    }
    if (!already) {
      // The JVM would exit with 128 + the signal; having been asked to end is no failure.
      Runtime.getRuntime().halt(0);
    }
  }

  /** Waits until the end is asked for. */
  void await() throws InterruptedException {
    asked.await();
  }

  /** Says that everything has ended. */
  void ended() {
    done.countDown();
  }
}
