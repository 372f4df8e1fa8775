package io.probelet.monitor.check;

import java.io.IOException;
import java.io.Serial;
import java.time.Duration;

/**
 * The container runtime, as far as a check asks it. Whoever knows how to speak to one provides it.
 */
public interface RuntimeQuery {
  /**
   * Asks for the runtime's status, then for a list of what runs.
   *
   * @param timeout how long each of the two may take
   * @throws NoRuntimeException if there is none at present
   * @throws IOException if it does not answer; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  Status ask(Duration timeout) throws IOException, InterruptedException;

  /**
   * What a runtime says of itself.
   *
   * @param ready empty if it is ready, else why not
   * @param networkReady empty if its network is ready, else why not
   */
  record Status(String ready, String networkReady, Duration listTook) {}

  /** There is nobody to ask, which says nothing of the node's health. */
  final class NoRuntimeException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    /** Creates it. */
    public NoRuntimeException() {
      super("no container runtime was found");
    }
  }
}
