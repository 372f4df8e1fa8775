package io.probelet.probe.net;

import java.net.InetSocketAddress;

/** One connection, in the making or made. Lives on its loop. */
interface Link {
  /**
   * Begins to connect.
   *
   * @param outcome called once, possibly before this method returns, and not after {@link #close}
   */
  void connect(InetSocketAddress remote, Outcome outcome);

  /** Closes it by reset; does nothing the second time. */
  void close();

  /** Takes what became of a connection. */
  interface Outcome {
    /** It stands. */
    void connected();

    /** It does not, and is closed. */
    void refused(NetFailure failure);
  }

  /**
   * Makes links of one sort.
   *
   * @param <L> the sort
   */
  @FunctionalInterface
  interface Opener<L extends Link> {
    /**
     * Opens a socket that is not connected yet.
     *
     * @throws RuntimeException if the machine has no more to give
     */
    L open(InetSocketAddress towards);
  }
}
