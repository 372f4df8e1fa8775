package io.probelet.monitor.check;

import java.io.IOException;
import java.io.Serial;
import java.time.Duration;

/** The queries to the container runtime that a check makes. Implemented outside this module. */
public interface RuntimeQuery {
  /**
   * Queries the runtime's status, then lists what runs.
   *
   * @param timeout for each of the two
   * @throws NoRuntimeException if there is currently none
   * @throws IOException if it does not answer; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  Status ask(Duration timeout) throws IOException, InterruptedException;

  /**
   * The status reported by a runtime.
   *
   * @param ready empty if it is ready, else why not
   * @param networkReady empty if its network is ready, else why not
   */
  record Status(String ready, String networkReady, Duration listTook) {}

  /** There is no runtime, which is no evidence about the node's health. */
  final class NoRuntimeException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    /** Creates it. */
    public NoRuntimeException() {
      super("no container runtime found");
    }
  }
}
