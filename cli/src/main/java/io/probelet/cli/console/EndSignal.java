package io.probelet.cli.console;

import java.util.concurrent.CountDownLatch;

/** Turns Ctrl-C and TERM into a graceful end: the JVM's shutdown waits for the command to end. */
public final class EndSignal {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  private EndSignal() {}

  /** {@return the signal, installed} */
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
      // The JVM would exit with 128 + the signal, but a requested end is no failure.
      Runtime.getRuntime().halt(0);
    }
  }

  /** Requests the end from within. */
  public void ask() {
    asked.countDown();
  }

  /**
   * Waits until the end is requested.
   *
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void await() throws InterruptedException {
    asked.await();
  }

  /** Signals that the command has ended. */
  public void ended() {
    done.countDown();
  }
}
