package io.probelet.probe.net;

import io.netty.channel.Channel;
import java.net.SocketAddress;

/**
 * One connection of a probe, in the making or made: a socket where that will do, a Netty channel
 * for TLS and HTTP/2. Lives on its loop.
 */
public abstract class ProbeConnection {
  private String protocol = "";

  ProbeConnection() {}

  /**
   * Starts connecting.
   *
   * @param listener called once connected or failed and closed, possibly before this method
   *     returns; never after {@link #close}
   */
  abstract void connect(SocketAddress remote, Listener listener);

  /** Lets what comes in be read, once those who made the connection know of it. */
  abstract void read();

  /** Closes it by reset; does nothing the second time. */
  abstract void close();

  /**
   * Begins to exchange bytes.
   *
   * @param listener takes from now on what comes in
   */
  public abstract void exchange(Listener listener);

  /** Ends the exchange, so that another can begin: of a connection with a channel only. */
  abstract void endExchange();

  /**
   * Sends a message, after those before it.
   *
   * @param message not changed afterwards
   */
  public abstract void send(byte[] message);

  /**
   * {@return the channel that carries it, for what has handlers of its own instead of an exchange}
   * Only what {@link Dialer#dial} connected has one.
   */
  public abstract Channel channel();

  /** {@return the protocol that was agreed on by ALPN, or empty} */
  public final String protocol() {
    return protocol;
  }

  /** Takes the protocol that was agreed on. */
  final void agreed(String on) {
    protocol = on;
  }

  /**
   * Takes what a connection brings, on its loop. Nothing comes once the attempt is over, except
   * that a call under way may end it.
   */
  public interface Listener {
    /**
     * The connection is established, including TLS. Reading starts when this method returns, so
     * handlers added to the channel now miss nothing.
     *
     * @param connection closed by the attempt when that is over
     */
    void connected(ProbeConnection connection);

    /**
     * Bytes of an {@link #exchange} came in.
     *
     * @param bytes valid during the call only, from the start
     * @param length how many, at least one
     */
    default void received(byte[] bytes, int length) {
      throw new IllegalStateException("unexpected data without a request");
    }

    /** The peer has ended an {@link #exchange} in good order. */
    default void ended() {}

    /**
     * The connection failed or ended.
     *
     * @param failure why
     */
    void failed(NetFailure failure);
  }
}
