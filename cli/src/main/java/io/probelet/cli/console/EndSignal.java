package io.probelet.cli.console;

import java.util.concurrent.CountDownLatch;

/**
 * Turns Ctrl-C and TERM into an orderly end: the JVM's shutdown waits until the command has let go
 * of everything.
 */
public final class EndSignal {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  private EndSignal() {}

  /** {@return the signal, heard from now on} */
  public static EndSignal install() {
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

  /** Asks for the end from within. */
  public void ask() {
    asked.countDown();
  }

  /**
   * Waits until the end is asked for.
   *
   * @throws InterruptedException if the caller gave up waiting
   */
  public void await() throws InterruptedException {
    asked.await();
  }

  /** Says that everything has ended. */
  public void ended() {
    done.countDown();
  }
}
